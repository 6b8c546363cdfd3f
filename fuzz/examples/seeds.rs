//! Writes the inputs that a corpus starts from: the committed vectors and some made runs, said in
//! the words of each target. `cargo run --example seeds FOLDER` writes `FOLDER/TARGET/…`.

use std::fs;
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use async_fuzz::{INPUT_BYTES_MAX, chain, forge, schemas, shape};
use async_replay::Run;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = std::env::args()
        .nth(1)
        .ok_or("the folder to write into is missing")?;
    let mut seeds = Seeds {
        folder: folder.into(),
        written: 0,
    };
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/runs");
    for entry in fs::read_dir(vectors)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "run") {
            seeds.vector(&fs::read(&path)?)?;
        }
        if path.extension().is_some_and(|ending| ending == "prior") {
            seeds.prior(&fs::read(&path)?)?;
        }
    }
    for number in 0..200 {
        seeds.made(number)?;
    }
    println!("{} seeds", seeds.written);
    Ok(())
}

struct Seeds {
    folder: PathBuf,
    written: usize,
}

impl Seeds {
    /// Short enough for a target, or left out.
    fn write(&mut self, target: &str, content: &[u8]) -> Outcome {
        if content.len() > INPUT_BYTES_MAX {
            return Ok(());
        }
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed-{:04}", self.written)), content)?;
        self.written += 1;
        Ok(())
    }

    fn prior(&mut self, file: &[u8]) -> Outcome {
        self.write("prior", &[&[0], file].concat())?;
        let lessons = &file[5 + usize::from(file[4])..file.len() - 4];
        self.write("prior", &[&[1 | 1 << 2], lessons].concat())
    }

    fn vector(&mut self, file: &[u8]) -> Outcome {
        let (_, header) = forge::take_apart(file).swap_remove(0);
        self.write("header", &[&[0], file].concat())?;
        self.write("header", &[&[1], header.as_slice()].concat())?;
        self.write("header", &[&[2, 2], header.as_slice()].concat())?;
        self.write("header", &[&[3], file].concat())
    }

    /// A run made of noise whose start says which header, and how long.
    fn made(&mut self, number: u64) -> Outcome {
        let mut noise = noise(number, 40 + 8 * number as usize);
        // The header's place among all, and nothing beside it: the chunks fit that header only.
        noise[..8].fill(0);
        noise[0] = number as u8 % schemas::HEADERS as u8;
        let run = shape::run(&mut Unstructured::new(&noise))?;
        let changes = [0xE0 ^ number as u8, 9, 3, 0, 40, 1, 5, 7, 0, 12, 0, 200, 1];
        self.write("mutate", &[&changes, noise.as_slice()].concat())?;
        let order = [number as u8; 16];
        let how = number as u8 | 1;
        self.write(
            "seek",
            &[&[how][..], &order, &changes[..6], &noise].concat(),
        )?;
        let twice = [&[how | 3], &changes[..6], &noise, &noise].concat();
        self.write("prior", &twice)?;
        let header = schemas::header(number as usize);
        let plain = Run {
            header,
            ..run.clone()
        };
        if plain == run {
            let said = chain::said(number as u8 % 8, number as u8, &run.encode()?);
            self.write("chunk", &said)?;
            self.write("seek", &[&[0][..], &order, &said].concat())?;
        }
        Ok(())
    }
}

/// Bytes with stretches of zeros, from a small generator.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    (0..count)
        .map(|_| if byte() < 90 { 0 } else { byte() })
        .collect()
}
