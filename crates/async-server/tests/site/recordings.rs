//! Runs to send: the arena played by an autopilot, and an engine game with any score.

use async_core::{Catalogue, FrameRate, OptionValue, Setup, Simulation, autopilot};
use async_identity::PlayerKey;
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, FullHash, Header, Limits, Opponent, PlayerId,
    Precision, Rotation, Run, Sample, SampleSchema, TrackSchema, Writer,
};

/// The key of player `number`.
pub(crate) fn key(number: u8) -> PlayerKey {
    PlayerKey::from_seed([number; 32])
}

/// The player id of player `number`, as text.
pub(crate) fn player(number: u8) -> String {
    PlayerId(key(number).player()).to_string()
}

/// The header of a ten-second collect of player `number`.
pub(crate) fn collect(number: u8, board: &str) -> Header {
    let mut header = Header::new("arena", 1, FrameRate::hz(60).unwrap());
    header.build = "1.0".to_owned();
    header.board = board.to_owned();
    header.player_name = format!("Pilot {number}");
    header.engine = "web".to_owned();
    header.seed = 11;
    header
        .options
        .insert("mode", OptionValue::Text("collect".to_owned()))
        .unwrap();
    header
        .options
        .insert("seconds", OptionValue::Int(10))
        .unwrap();
    header.inputs = Some(async_core::arena::schema());
    header.player = Some(PlayerId(key(number).player()));
    header
}

/// Plays `header` to its end by the autopilot `pilot`, signed by player `number`.
pub(crate) fn play(header: Header, pilot: u64, number: u8) -> Vec<u8> {
    play_against(header, pilot, number, None)
}

/// The same; slot 1 plays the inputs of `opponent`.
pub(crate) fn play_against(
    header: Header,
    pilot: u64,
    number: u8,
    opponent: Option<&[u8]>,
) -> Vec<u8> {
    let opponent = opponent.map(open);
    let setup = Setup {
        seed: header.seed,
        players: header.players,
        slot: header.slot,
        rate: header.rate,
        options: header.options.clone(),
    };
    let (game, revision, slot) = (header.game.clone(), header.revision, header.slot);
    let catalogue = Catalogue::standard();
    let mut simulation = Simulation::start(&catalogue, &game, revision, &setup).unwrap();
    let mut pilots: Vec<_> = (0..header.players)
        .map(|slot| autopilot(&game, pilot + u64::from(slot) * 1_000).unwrap())
        .collect();
    let mut writer = Writer::new(header).unwrap();
    while !simulation.finished() {
        let mut inputs: Vec<_> = pilots
            .iter_mut()
            .enumerate()
            .map(|(slot, pilot)| pilot.input(simulation.game(), u8::try_from(slot).unwrap()))
            .collect();
        if let Some(opponent) = &opponent {
            inputs[1] = opponent.inputs.frame(simulation.frame())[0];
        }
        writer.frame(&inputs).unwrap();
        simulation.step(&inputs).unwrap();
        if simulation.frame().is_multiple_of(CHECKPOINT_FRAMES) {
            let at = Checkpoint::of(simulation.frame(), simulation.run_digest());
            writer.checkpoint(at).unwrap();
        }
    }
    let end = End {
        frames: simulation.frame(),
        score: simulation.game().score(slot),
        reason: EndReason::Finished,
        digest: simulation.run_digest(),
    };
    let key = key(number);
    let mut sign = |hash: &FullHash| key.sign_run(&hash.0);
    writer.finish(end, Some(&mut sign)).unwrap().bytes
}

/// A good arena run of player `number` on `board`.
pub(crate) fn arena(number: u8, board: &str, pilot: u64) -> Vec<u8> {
    play(collect(number, board), pilot, number)
}

/// A run of somebody's own engine game with a claimed score: plausible at best.
pub(crate) fn engine(number: u8, board: &str, score: i64) -> Vec<u8> {
    engine_with(number, board, score, |_| ())
}

pub(crate) fn engine_with(
    number: u8,
    board: &str,
    score: i64,
    change: impl FnOnce(&mut Header),
) -> Vec<u8> {
    let mut header = Header::new("my_kart", 0, FrameRate::hz(60).unwrap());
    header.build = "1.0".to_owned();
    header.board = board.to_owned();
    header.player_name = format!("Driver {number}");
    header.samples = Some(SampleSchema {
        rate_hz: 10,
        tracks: vec![TrackSchema::flat("kart")],
        precision: Precision::Default,
    });
    header.player = Some(PlayerId(key(number).player()));
    change(&mut header);
    let mut writer = Writer::new(header).unwrap();
    for index in 0..4_u32 {
        if index > 0 {
            (0..6).for_each(|_| writer.frame(&[]).unwrap());
        }
        let sample = Sample {
            frame: index * 6,
            position: [0; 3],
            rotation: Rotation::Yaw(0),
            channels: [0; 8],
            teleport: false,
        };
        writer.sample(0, &sample).unwrap();
    }
    let end = End {
        frames: writer.frames(),
        score,
        reason: EndReason::Finished,
        digest: 0,
    };
    let key = key(number);
    let mut sign = |hash: &FullHash| key.sign_run(&hash.0);
    writer.finish(end, Some(&mut sign)).unwrap().bytes
}

pub(crate) fn open(bytes: &[u8]) -> Run {
    Run::open(bytes, &Limits::default()).unwrap()
}

pub(crate) fn id(bytes: &[u8]) -> String {
    open(bytes).id().to_string()
}

/// Encodes a changed run with every checksum right, signed anew by player `number` if given.
pub(crate) fn changed(bytes: &[u8], signer: Option<u8>, change: impl FnOnce(&mut Run)) -> Vec<u8> {
    let mut run = open(bytes);
    change(&mut run);
    if let Some(number) = signer {
        run.header.player = Some(PlayerId(key(number).player()));
        run.signature = Some(key(number).sign_run(&run.full_hash().0));
    }
    run.encode().unwrap()
}

/// The header of a collect for two against a run that the server may not have.
pub(crate) fn collect_against(number: u8, board: &str, opponent: &[u8]) -> Header {
    let mut header = collect(number, board);
    header.players = 2;
    header.opponent = Some(Opponent {
        run: open(opponent).id(),
        slot: 1,
    });
    header
}

/// The file with one more chunk before its last one, every checksum right.
pub(crate) fn with_chunk(bytes: &[u8], kind: u8) -> Vec<u8> {
    let (head, mut rest) = bytes.split_at(4);
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let mut length = 0;
        let mut at = 1;
        loop {
            let byte = rest[at];
            length |= usize::from(byte & 0x7f) << (7 * (at - 1));
            at += 1;
            if byte < 0x80 {
                break;
            }
        }
        chunks.push(rest[..at + length].to_vec());
        rest = &rest[at + length + 4..];
    }
    // Before the signature and the end.
    chunks.insert(chunks.len() - 2, vec![kind, 3, 1, 2, 3]);
    let mut out = head.to_vec();
    let mut sum = crc32c::crc32c(head);
    for chunk in chunks {
        sum = crc32c::crc32c_append(sum, &chunk);
        out.extend(&chunk);
        out.extend(sum.to_le_bytes());
    }
    out
}

/// What a crash leaves of a recording: whole chunks and no end.
pub(crate) fn unfinished(number: u8, board: &str) -> Vec<u8> {
    let mut writer = Writer::new(collect(number, board)).unwrap();
    for _ in 0..1_000 {
        writer.frame(&[async_core::Input::default()]).unwrap();
    }
    writer.bytes().to_vec()
}
