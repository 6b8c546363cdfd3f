//! The benchmark runs: arena collect, one player, 60 Hz, 60 s, played by autopilots and signed.

use std::thread;

use async_core::{Catalogue, FrameRate, OptionValue, Options, Setup, Simulation, Step, autopilot};
use async_identity::PlayerKey;
use async_replay::{
    CHECKPOINT_FRAMES, Checkpoint, End, EndReason, Finished, Header, PlayerId, Writer,
};

use crate::Fallible;

const GAME: &str = "arena";
const AUTOPILOTS: usize = 64;
const FRAMES_MAX: u32 = 3_600;

/// Plays and signs `count` runs on `board`, on all `cores`. Each has a player and a seed of its
/// own, so that every submit is a new run and a new row; the pilots repeat every 64.
///
/// # Errors
/// When the game cannot be played.
pub(crate) fn play(board: &str, count: usize, cores: usize) -> Fallible<Vec<Vec<u8>>> {
    let mut runs = vec![Vec::new(); count];
    let share = count.div_ceil(cores.max(1)).max(1);
    thread::scope(|scope| {
        let parts = runs.chunks_mut(share).enumerate();
        let players: Vec<_> = parts
            .map(|(part, runs)| scope.spawn(move || play_part(board, part * share, runs)))
            .collect();
        let panicked = |_| Err("a player thread panicked".into());
        players
            .into_iter()
            .try_for_each(|player| player.join().unwrap_or_else(panicked))
    })?;
    Ok(runs)
}

fn play_part(board: &str, first: usize, runs: &mut [Vec<u8>]) -> Fallible<()> {
    let catalogue = Catalogue::standard();
    for (index, run) in runs.iter_mut().enumerate() {
        *run = play_one(&catalogue, board, first + index)?;
    }
    Ok(())
}

fn play_one(catalogue: &Catalogue, board: &str, number: usize) -> Fallible<Vec<u8>> {
    let key = key(number);
    let setup = Setup {
        seed: u64::try_from(number)? + 1,
        players: 1,
        slot: 0,
        rate: FrameRate::hz(60)?,
        options: Options::default()
            .with("mode", OptionValue::Text("collect".to_owned()))?
            .with("seconds", OptionValue::Int(60))?,
    };
    let revision = catalogue.latest(GAME).ok_or("the arena is missing")?;
    let mut simulation = Simulation::start(catalogue, GAME, revision, &setup)?;
    let mut writer = Writer::new(header(catalogue, revision, setup, board, &key)?)?;
    let pilot_seed = u64::try_from(number % AUTOPILOTS)?;
    let mut pilot = autopilot(GAME, pilot_seed).ok_or("the arena has no autopilot")?;
    loop {
        let inputs = [pilot.input(simulation.game(), 0)];
        let step = simulation.step(&inputs)?;
        writer.frame(&inputs)?;
        if simulation.frame() % CHECKPOINT_FRAMES == 0 {
            writer.checkpoint(Checkpoint::of(simulation.frame(), simulation.run_digest()))?;
        }
        if step == Step::Finished {
            break;
        }
    }
    Ok(finish(writer, &simulation, &key)?.bytes)
}

fn finish(writer: Writer, simulation: &Simulation, key: &PlayerKey) -> Fallible<Finished> {
    let end = End {
        frames: simulation.frame(),
        score: simulation.game().score(0),
        reason: EndReason::Finished,
        digest: simulation.run_digest(),
    };
    Ok(writer.finish(end, Some(&mut |hash| key.sign_run(&hash.0)))?)
}

fn header(
    catalogue: &Catalogue,
    revision: u32,
    setup: Setup,
    board: &str,
    key: &PlayerKey,
) -> Fallible<Header> {
    let mut header = Header::new(GAME, revision, setup.rate);
    header.build = "bench".to_owned();
    header.options = setup.options;
    header.seed = setup.seed;
    header.player = Some(PlayerId(key.player()));
    header.player_name = "autopilot".to_owned();
    header.board = board.to_owned();
    header.frames_max = FRAMES_MAX;
    header.inputs = Some(catalogue.schema(GAME, revision)?.clone());
    Ok(header)
}

fn key(number: usize) -> PlayerKey {
    let mut seed = [0x5a; 32];
    seed[..8].copy_from_slice(&(number as u64).to_le_bytes());
    PlayerKey::from_seed(seed)
}
