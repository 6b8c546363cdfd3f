//! The header as bytes: tag, length, value, tags ascending, defaults left out. One header has one
//! encoding, so its bytes are its canonical form too.

use std::collections::BTreeMap;

use async_core::{Axis, AxisBits, FrameRate, InputSchema, OptionValue, Options};

use crate::{
    CHANNELS_MAX, Dimensions, Error, HEADER_BYTES_MAX, Header, Opponent, PlayerId, Precision,
    RotationKind, RunId, SampleSchema, TRACKS_MAX, TrackSchema, UnknownField,
    header::{
        ENGINE_BYTES_MAX, META_BYTES_MAX, META_NAME_BYTES_MAX, META_TEXT_BYTES_MAX, MOD_BYTES_MAX,
        MODS_MAX, NAME_BYTES_MAX, TICKET_BYTES_MAX, UNKNOWN_BYTES_MAX, UNKNOWN_MAX,
    },
    wire::{Cursor, put_signed, put_sized, put_varint, text},
};

/// The tags of `FORMAT.md`.
mod tag {
    pub(super) const SETUP: u8 = 0x01;
    pub(super) const GAME: u8 = 0x02;
    pub(super) const BUILD: u8 = 0x03;
    pub(super) const ENGINE: u8 = 0x04;
    pub(super) const APP: u8 = 0x05;
    pub(super) const BOARD: u8 = 0x06;
    pub(super) const PLAYER_NAME: u8 = 0x07;
    pub(super) const OPTIONS: u8 = 0x08;
    pub(super) const CONTENT: u8 = 0x09;
    pub(super) const MODS: u8 = 0x0A;
    pub(super) const INPUTS: u8 = 0x0B;
    pub(super) const SAMPLES: u8 = 0x0C;
    pub(super) const PLAYER: u8 = 0x0D;
    pub(super) const TICKET: u8 = 0x0E;
    pub(super) const OPPONENT: u8 = 0x0F;
    pub(super) const META: u8 = 0x10;
    /// The first that is free.
    pub(super) const UNKNOWN: u8 = 0x11;
}

/// Names of buttons, axes, options, tracks and channels.
const SCHEMA_NAME_BYTES_MAX: usize = 32;

/// The header chunk's payload. The header was checked.
pub(crate) fn encode(header: &Header) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |tag: u8, value: &[u8]| {
        if !value.is_empty() {
            out.push(tag);
            put_sized(&mut out, value);
        }
    };
    put(tag::SETUP, &encode_setup(header));
    put(tag::GAME, header.game.as_bytes());
    put(tag::BUILD, header.build.as_bytes());
    put(tag::ENGINE, header.engine.as_bytes());
    put(tag::APP, header.app.as_bytes());
    put(tag::BOARD, header.board.as_bytes());
    put(tag::PLAYER_NAME, header.player_name.as_bytes());
    put(tag::OPTIONS, &encode_options(&header.options));
    put(
        tag::CONTENT,
        header.content.as_ref().map_or(&[], |hash| hash.as_slice()),
    );
    let mut mods = Vec::new();
    header
        .mods
        .iter()
        .for_each(|name| put_sized(&mut mods, name.as_bytes()));
    put(tag::MODS, &mods);
    put(
        tag::INPUTS,
        &header.inputs.as_ref().map_or(Vec::new(), encode_inputs),
    );
    put(
        tag::SAMPLES,
        &header.samples.as_ref().map_or(Vec::new(), encode_samples),
    );
    put(
        tag::PLAYER,
        header
            .player
            .as_ref()
            .map_or(&[], |player| player.0.as_slice()),
    );
    put(tag::TICKET, header.ticket.as_deref().unwrap_or_default());
    let opponent = header
        .opponent
        .map(|opponent| [&opponent.run.0[..], &[opponent.slot]].concat());
    put(tag::OPPONENT, opponent.as_deref().unwrap_or_default());
    put(tag::META, &encode_meta(&header.meta));
    for field in &header.unknown {
        out.push(field.tag);
        put_sized(&mut out, &field.value);
    }
    out
}

fn encode_setup(header: &Header) -> Vec<u8> {
    let mut out = Vec::new();
    put_varint(&mut out, u64::from(header.revision));
    put_varint(&mut out, header.seed);
    let practice = u8::from(header.practice) << 6;
    out.push((header.players.wrapping_sub(1) & 7) | (header.slot & 7) << 3 | practice);
    let (numer, denom) = (header.rate.numer(), header.rate.denom());
    put_varint(&mut out, u64::from(numer) << 1 | u64::from(denom != 1));
    if denom != 1 {
        put_varint(&mut out, u64::from(denom));
    }
    put_varint(&mut out, u64::from(header.frames_max));
    out
}

/// The options as the header and the ruleset hold them: names ascending.
pub(crate) fn encode_options(options: &Options) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, value) in options.iter() {
        put_sized(&mut out, name.as_bytes());
        match value {
            OptionValue::Bool(on) => out.push(u8::from(*on)),
            OptionValue::Int(number) => {
                out.push(2);
                put_signed(&mut out, *number);
            }
            OptionValue::Text(text) => {
                out.push(3);
                put_sized(&mut out, text.as_bytes());
            }
        }
    }
    out
}

/// Names and texts, names ascending by their bytes.
pub(crate) fn encode_meta(meta: &BTreeMap<String, String>) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, text) in meta {
        put_sized(&mut out, name.as_bytes());
        put_sized(&mut out, text.as_bytes());
    }
    out
}

pub(crate) fn encode_inputs(schema: &InputSchema) -> Vec<u8> {
    let mut out = vec![schema.buttons.len() as u8];
    schema
        .buttons
        .iter()
        .for_each(|name| put_flagged(&mut out, name, 0));
    out.push(schema.axes.len() as u8);
    for axis in &schema.axes {
        put_flagged(
            &mut out,
            &axis.name,
            u8::from(axis.bits == AxisBits::Sixteen) << 6,
        );
    }
    out
}

fn encode_samples(schema: &SampleSchema) -> Vec<u8> {
    let mut out = vec![
        schema.rate_hz,
        schema.precision as u8,
        schema.tracks.len() as u8,
    ];
    for track in &schema.tracks {
        let three = u8::from(track.dimensions == Dimensions::Three) << 6;
        let quaternion = u8::from(track.rotation == RotationKind::Quaternion) << 7;
        put_flagged(&mut out, &track.name, three | quaternion);
        out.push(track.channels.len() as u8);
        track
            .channels
            .iter()
            .for_each(|name| put_flagged(&mut out, name, 0));
    }
    out
}

/// A name of at most 32 bytes whose length byte has room for two flags.
fn put_flagged(out: &mut Vec<u8>, name: &str, flags: u8) {
    out.push(name.len() as u8 | flags);
    out.extend_from_slice(name.as_bytes());
}

/// Reads a header chunk's payload; what comes back is checked.
pub(crate) fn decode(payload: &[u8]) -> Result<Header, Error> {
    if payload.len() > HEADER_BYTES_MAX {
        return Err(Error::BadHeader("a header over 16,384 bytes"));
    }
    let mut cursor = Cursor::new(payload);
    if cursor.byte()? != tag::SETUP {
        return Err(Error::BadHeader(
            "a header that does not start with its setup",
        ));
    }
    let mut header = decode_setup(cursor.sized(HEADER_BYTES_MAX)?)?;
    let mut last = tag::SETUP;
    while !cursor.is_empty() {
        let tag = cursor.byte()?;
        let value = cursor.sized(HEADER_BYTES_MAX)?;
        if tag <= last {
            return Err(Error::Malformed("header tags that do not ascend"));
        }
        if value.is_empty() && tag < tag::UNKNOWN {
            return Err(Error::Malformed("a header field that holds its default"));
        }
        last = tag;
        decode_field(&mut header, tag, value)?;
    }
    header.check()?;
    Ok(header)
}

fn decode_setup(value: &[u8]) -> Result<Header, Error> {
    let mut cursor = Cursor::new(value);
    let revision = cursor.varint_u32()?;
    let seed = cursor.varint()?;
    let slots = cursor.byte()?;
    if slots & 0x80 != 0 {
        return Err(Error::Malformed("a reserved bit of the header's slots"));
    }
    let rate = decode_rate(&mut cursor)?;
    let frames_max = cursor.varint_u32()?;
    cursor.finish()?;
    Ok(Header {
        seed,
        players: (slots & 7) + 1,
        slot: slots >> 3 & 7,
        practice: slots & 0x40 != 0,
        frames_max,
        ..Header::new("", revision, rate)
    })
}

fn decode_rate(cursor: &mut Cursor<'_>) -> Result<FrameRate, Error> {
    let bad = Error::BadHeader("a frame rate of 10 to 120 Hz");
    let coded = cursor.varint()?;
    let numer = u32::try_from(coded >> 1).map_err(|_| bad.clone())?;
    let denom = if coded & 1 == 0 {
        1
    } else {
        cursor.varint_u32()?
    };
    let rate = FrameRate::new(numer, denom).map_err(|_| bad)?;
    if (rate.numer(), rate.denom()) != (numer, denom) || coded & 1 == 1 && denom == 1 {
        return Err(Error::Malformed("a frame rate that is not reduced"));
    }
    Ok(rate)
}

fn decode_field(header: &mut Header, tag: u8, value: &[u8]) -> Result<(), Error> {
    match tag {
        tag::GAME => header.game = bounded(value, NAME_BYTES_MAX)?,
        tag::BUILD => header.build = bounded(value, NAME_BYTES_MAX)?,
        tag::ENGINE => header.engine = bounded(value, ENGINE_BYTES_MAX)?,
        tag::APP => header.app = bounded(value, NAME_BYTES_MAX)?,
        tag::BOARD => header.board = bounded(value, NAME_BYTES_MAX)?,
        tag::PLAYER_NAME => header.player_name = bounded(value, NAME_BYTES_MAX)?,
        tag::OPTIONS => header.options = decode_options(value)?,
        tag::CONTENT => header.content = Some(exact(value)?),
        tag::MODS => header.mods = decode_mods(value)?,
        tag::INPUTS => header.inputs = Some(decode_inputs(value)?),
        tag::SAMPLES => header.samples = Some(decode_samples(value)?),
        tag::PLAYER => header.player = Some(PlayerId(exact(value)?)),
        tag::TICKET if value.len() <= TICKET_BYTES_MAX => header.ticket = Some(value.to_vec()),
        tag::TICKET => return Err(Error::BadHeader("a ticket over 1,024 bytes")),
        tag::OPPONENT => {
            let [run @ .., slot] = exact::<17>(value)?;
            header.opponent = Some(Opponent {
                run: RunId(run),
                slot,
            });
        }
        tag::META => header.meta = decode_meta(value)?,
        _ => {
            header.unknown.push(UnknownField {
                tag,
                value: value.to_vec(),
            });
            check_unknown(&header.unknown)?;
        }
    }
    Ok(())
}

fn decode_options(value: &[u8]) -> Result<Options, Error> {
    let mut cursor = Cursor::new(value);
    let mut options = Options::default();
    let mut last = String::new();
    while !cursor.is_empty() {
        let name = text(cursor.sized(SCHEMA_NAME_BYTES_MAX)?)?;
        let value = match cursor.byte()? {
            kind @ (0 | 1) => OptionValue::Bool(kind == 1),
            2 => OptionValue::Int(cursor.signed()?),
            3 => OptionValue::Text(text(cursor.sized(Options::TEXT_BYTES_MAX)?)?),
            _ => return Err(Error::BadHeader("an option of an unknown kind")),
        };
        if name <= last {
            return Err(Error::Malformed("option names that do not ascend"));
        }
        let bad = |_| Error::BadHeader("more options, or longer ones, than allowed");
        options.insert(&name, value).map_err(bad)?;
        last = name;
    }
    Ok(options)
}

fn decode_meta(value: &[u8]) -> Result<BTreeMap<String, String>, Error> {
    if value.len() > META_BYTES_MAX {
        return Err(Error::BadHeader("meta over 1,024 bytes"));
    }
    let mut cursor = Cursor::new(value);
    let mut meta = BTreeMap::new();
    let mut last = String::new();
    while !cursor.is_empty() {
        let name = text(cursor.sized(META_NAME_BYTES_MAX)?)?;
        if name <= last {
            return Err(Error::Malformed("names of meta that do not ascend"));
        }
        meta.insert(name.clone(), text(cursor.sized(META_TEXT_BYTES_MAX)?)?);
        last = name;
    }
    Ok(meta)
}

fn decode_mods(value: &[u8]) -> Result<Vec<String>, Error> {
    let mut cursor = Cursor::new(value);
    let mut mods = Vec::new();
    while !cursor.is_empty() {
        if mods.len() == MODS_MAX {
            return Err(Error::BadHeader("more than 64 mods"));
        }
        mods.push(text(cursor.sized(MOD_BYTES_MAX)?)?);
    }
    Ok(mods)
}

pub(crate) fn decode_inputs(value: &[u8]) -> Result<InputSchema, Error> {
    let mut cursor = Cursor::new(value);
    let mut buttons = Vec::new();
    for _ in 0..cursor.byte()? {
        buttons.push(flagged(&mut cursor, 0)?.0);
    }
    let mut axes = Vec::new();
    for _ in 0..cursor.byte()? {
        let (name, flags) = flagged(&mut cursor, 0x40)?;
        let bits = if flags == 0 {
            AxisBits::Eight
        } else {
            AxisBits::Sixteen
        };
        axes.push(Axis { name, bits });
    }
    cursor.finish()?;
    InputSchema::new(buttons, axes).map_err(|_| Error::BadHeader("an input schema that is none"))
}

fn decode_samples(value: &[u8]) -> Result<SampleSchema, Error> {
    let mut cursor = Cursor::new(value);
    let rate_hz = cursor.byte()?;
    let precision = match cursor.byte()? {
        0 => Precision::Fine,
        1 => Precision::Default,
        2 => Precision::Tiny,
        _ => return Err(Error::BadHeader("an unknown precision of samples")),
    };
    let count = usize::from(cursor.byte()?);
    if count > TRACKS_MAX {
        return Err(Error::BadHeader("1 to 64 tracks"));
    }
    let tracks = (0..count)
        .map(|_| decode_track(&mut cursor))
        .collect::<Result<_, _>>()?;
    cursor.finish()?;
    Ok(SampleSchema {
        rate_hz,
        tracks,
        precision,
    })
}

fn decode_track(cursor: &mut Cursor<'_>) -> Result<TrackSchema, Error> {
    let (name, flags) = flagged(cursor, 0xC0)?;
    let dimensions = if flags & 0x40 == 0 {
        Dimensions::Two
    } else {
        Dimensions::Three
    };
    let rotation = if flags & 0x80 == 0 {
        RotationKind::Yaw
    } else {
        RotationKind::Quaternion
    };
    let count = usize::from(cursor.byte()?);
    if count > CHANNELS_MAX {
        return Err(Error::BadHeader("at most 8 channels in a track"));
    }
    let name_of = |_| flagged(cursor, 0).map(|(name, _)| name);
    let channels = (0..count).map(name_of).collect::<Result<_, _>>()?;
    Ok(TrackSchema {
        name,
        dimensions,
        rotation,
        channels,
    })
}

/// A name and the flags in the two high bits of its length, of which `allowed` may be set.
fn flagged(cursor: &mut Cursor<'_>, allowed: u8) -> Result<(String, u8), Error> {
    let byte = cursor.byte()?;
    let (length, flags) = (usize::from(byte & 0x3F), byte & 0xC0);
    if flags & !allowed != 0 {
        return Err(Error::Malformed("a reserved bit of a name"));
    }
    if length == 0 || length > SCHEMA_NAME_BYTES_MAX {
        return Err(Error::BadHeader("names of 1 to 32 bytes, each once"));
    }
    Ok((text(cursor.take(length)?)?, flags))
}

fn bounded(value: &[u8], max: usize) -> Result<String, Error> {
    if value.len() > max {
        return Err(Error::BadHeader(
            "a text that is too long, or a game without a name",
        ));
    }
    text(value)
}

fn exact<const N: usize>(value: &[u8]) -> Result<[u8; N], Error> {
    value
        .try_into()
        .map_err(|_| Error::BadHeader("a field of the wrong length"))
}

/// Unknown fields have free tags, ascending, and are few and small.
pub(crate) fn check_unknown(fields: &[UnknownField]) -> Result<(), Error> {
    let bytes: usize = fields.iter().map(|field| field.value.len()).sum();
    let ascending = fields.windows(2).all(|pair| pair[0].tag < pair[1].tag);
    let free = fields.iter().all(|field| field.tag >= tag::UNKNOWN);
    if fields.len() > UNKNOWN_MAX || bytes > UNKNOWN_BYTES_MAX || !ascending || !free {
        return Err(Error::BadHeader(
            "unknown fields: few, small, ascending, and none we know",
        ));
    }
    Ok(())
}
