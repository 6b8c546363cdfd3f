//! A player key as text that survives being typed: `gfkey1-` and eight groups of eight characters.
//!
//! The characters are those of Crockford's base 32, which has no `i`, `l`, `o` or `u`; they hold
//! the 32 secret bytes and the first 8 bytes of a hash of them.

use zeroize::Zeroizing;

use crate::error::Error;
use crate::statement::{KEY_TEXT_DOMAIN, hash, same};

const PREFIX: &str = "gfkey";
const VERSION: char = '1';
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const CHECK_BYTES: usize = 8;
const DATA_BYTES: usize = 32 + CHECK_BYTES;
const DATA_CHARS: usize = DATA_BYTES * 8 / 5;
const GROUP_CHARS: usize = 8;
// What people may paste around it; more is not looked at.
const TEXT_BYTES_MAX: usize = 256;

/// Writes the text of `seed`.
pub(crate) fn write(seed: &[u8; 32]) -> String {
    let data = data_of(seed);
    // The whole length at once: growing would leave copies of the secret behind.
    let mut text = String::with_capacity(PREFIX.len() + 1 + DATA_CHARS + DATA_CHARS / GROUP_CHARS);
    text.push_str(PREFIX);
    text.push(VERSION);
    for index in 0..DATA_CHARS {
        if index % GROUP_CHARS == 0 {
            text.push('-');
        }
        text.push(char::from(ALPHABET[usize::from(five_bits(&data, index))]));
    }
    text
}

/// Reads the seed out of `text`.
///
/// # Errors
/// [`Error::BadKeyText`], [`Error::UnknownVersion`].
pub(crate) fn read(text: &str) -> Result<Zeroizing<[u8; 32]>, Error> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Error::BadKeyText("it is too long"));
    }
    let body = body_of(text.trim())?;
    let data = unpack(body)?;
    let mut seed = Zeroizing::new([0; 32]);
    seed.copy_from_slice(&data[..32]);
    if same(&data_of(&seed)[32..], &data[32..]) {
        Ok(seed)
    } else {
        Err(Error::BadKeyText(
            "its checksum does not fit: a character is wrong",
        ))
    }
}

/// What stands behind the prefix and the version.
fn body_of(text: &str) -> Result<&str, Error> {
    let no_prefix = Error::BadKeyText("it does not start with gfkey1");
    let (prefix, rest) = text.split_at_checked(PREFIX.len()).ok_or(no_prefix)?;
    if !prefix.eq_ignore_ascii_case(PREFIX) {
        return Err(no_prefix);
    }
    let (version, body) = rest.split_once('-').ok_or(no_prefix)?;
    match version.parse::<u8>() {
        Ok(1) if version.starts_with(VERSION) => Ok(body),
        Ok(other) if other > 1 => Err(Error::UnknownVersion(other)),
        _ => Err(no_prefix),
    }
}

fn unpack(body: &str) -> Result<Zeroizing<[u8; DATA_BYTES]>, Error> {
    let mut data = Zeroizing::new([0; DATA_BYTES]);
    let mut count = 0;
    for character in body
        .bytes()
        .filter(|byte| *byte != b'-' && !byte.is_ascii_whitespace())
    {
        if count == DATA_CHARS {
            return Err(Error::BadKeyText("it has too many characters"));
        }
        let five =
            value_of(character).ok_or(Error::BadKeyText("a character is not of its alphabet"))?;
        for bit in 0..5 {
            let place = count * 5 + bit;
            data[place / 8] |= (five >> (4 - bit) & 1) << (7 - place % 8);
        }
        count += 1;
    }
    if count == DATA_CHARS {
        Ok(data)
    } else {
        Err(Error::BadKeyText("it has too few characters"))
    }
}

/// The value of a character, with the readings that people confuse.
fn value_of(character: u8) -> Option<u8> {
    let plain = match character.to_ascii_lowercase() {
        b'o' => b'0',
        b'i' | b'l' => b'1',
        other => other,
    };
    ALPHABET
        .iter()
        .position(|&known| known == plain)
        .and_then(|index| u8::try_from(index).ok())
}

fn five_bits(data: &[u8; DATA_BYTES], index: usize) -> u8 {
    (0..5).map(|bit| index * 5 + bit).fold(0, |value, place| {
        value << 1 | (data[place / 8] >> (7 - place % 8) & 1)
    })
}

fn data_of(seed: &[u8; 32]) -> Zeroizing<[u8; DATA_BYTES]> {
    let mut data = Zeroizing::new([0; DATA_BYTES]);
    data[..32].copy_from_slice(seed);
    data[32..].copy_from_slice(&hash(KEY_TEXT_DOMAIN, &[seed])[..CHECK_BYTES]);
    data
}
