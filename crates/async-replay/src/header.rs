//! The header: everything about a run that is known when its recording starts.

use std::collections::BTreeMap;

use async_core::{FRAMES_MAX, FrameRate, InputSchema, Options, PLAYERS_MAX, SEED_MAX};

use crate::{Error, PlayerId, RulesetId, RunId, SampleSchema, header_code};

/// Everything about a run that is known when its recording starts. Whatever reaches the
/// simulation is here, so that the header and the inputs alone give the same run again.
#[derive(Debug, Clone, PartialEq)]
pub struct Header {
    /// The game: `arena`, `physics`, or the developer's own. 1 to 64 bytes.
    pub game: String,
    /// The revision of a deterministic game; 0 for an engine game, which no one re-simulates.
    pub revision: u32,
    /// The developer's own version string. At most 64 bytes.
    pub build: String,
    /// The game's own options.
    pub options: Options,
    /// The hash of the map or scene, where the game has one.
    pub content: Option<[u8; 32]>,
    /// The ids of the loaded mods, in load order. At most 64 of 1 to 128 bytes.
    pub mods: Vec<String>,
    /// The simulation's seed, 0 to 2^53 − 1.
    pub seed: u64,
    /// Slots of the game, 1 to 8.
    pub players: u8,
    /// The slot of the recording player, below `players`.
    pub slot: u8,
    /// The recording player's public key.
    pub player: Option<PlayerId>,
    /// The name to show. At most 64 bytes.
    pub player_name: String,
    /// The engine that recorded: `web`, `godot`, `unity`, `unreal`. At most 32 bytes.
    pub engine: String,
    /// The application id. At most 64 bytes.
    pub app: String,
    /// The board the run was made for. At most 64 bytes.
    pub board: String,
    /// Frames per second.
    pub rate: FrameRate,
    /// The longest this recording may become, in frames, 1 to 216,000.
    pub frames_max: u32,
    /// What an input may hold; `None` where inputs are not recorded.
    pub inputs: Option<InputSchema>,
    /// What the tracks hold; `None` where no samples are recorded.
    pub samples: Option<SampleSchema>,
    /// The encoded signed ticket the attempt was started with. At most 1,024 bytes.
    pub ticket: Option<Vec<u8>>,
    /// The run that played another slot.
    pub opponent: Option<Opponent>,
    /// Whether the run was for practice, and so never ranks.
    pub practice: bool,
    /// What the game notes about the run for itself or for those who watch it, by name. It never
    /// reaches the simulation, nor the ruleset. At most 16 texts of at most 256 bytes with names of
    /// 1 to 32, and 1,024 bytes in all as they are encoded.
    pub meta: BTreeMap<String, String>,
    /// Fields of later versions, kept as they are.
    pub unknown: Vec<UnknownField>,
}

/// The run that filled another slot (async PvP).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opponent {
    /// The opponent's run.
    pub run: RunId,
    /// The slot it filled.
    pub slot: u8,
}

/// A header field that this version does not know: it is kept, and hashed like the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownField {
    /// Its tag, one that [`Header`] does not use.
    pub tag: u8,
    /// Its value.
    pub value: Vec<u8>,
}

/// The most bytes of each text, and the most of each list.
pub(crate) const NAME_BYTES_MAX: usize = 64;
pub(crate) const ENGINE_BYTES_MAX: usize = 32;
pub(crate) const MODS_MAX: usize = 64;
pub(crate) const MOD_BYTES_MAX: usize = 128;
pub(crate) const TICKET_BYTES_MAX: usize = 1_024;
pub(crate) const META_MAX: usize = 16;
pub(crate) const META_NAME_BYTES_MAX: usize = 32;
pub(crate) const META_TEXT_BYTES_MAX: usize = 256;
pub(crate) const META_BYTES_MAX: usize = 1_024;
pub(crate) const UNKNOWN_MAX: usize = 16;
pub(crate) const UNKNOWN_BYTES_MAX: usize = 1_024;

impl Header {
    /// A header with the least that a run needs: an arena-like game, one player, no schemas.
    pub fn new(game: &str, revision: u32, rate: FrameRate) -> Self {
        Self {
            game: game.to_owned(),
            revision,
            build: String::new(),
            options: Options::default(),
            content: None,
            mods: Vec::new(),
            seed: 0,
            players: 1,
            slot: 0,
            player: None,
            player_name: String::new(),
            engine: String::new(),
            app: String::new(),
            board: String::new(),
            rate,
            frames_max: FRAMES_MAX,
            inputs: None,
            samples: None,
            ticket: None,
            opponent: None,
            practice: false,
            meta: BTreeMap::new(),
            unknown: Vec::new(),
        }
    }

    /// Checks every field against the format's own limits. `bad_header` says what is wrong.
    pub fn check(&self) -> Result<(), Error> {
        self.check_texts()?;
        self.check_numbers()?;
        if self.inputs.is_none() && self.samples.is_none() {
            return Err(Error::BadHeader("a run records inputs, samples or both"));
        }
        if self
            .inputs
            .as_ref()
            .is_some_and(|schema| schema.validate().is_err())
        {
            return Err(Error::BadHeader("an input schema that is none"));
        }
        self.samples.as_ref().map_or(Ok(()), SampleSchema::check)?;
        self.check_meta()?;
        header_code::check_unknown(&self.unknown)
    }

    /// What a board binds, so that only comparable runs share it: game, revision (or build for an
    /// engine game), options, content, mods, frame rate, players and slot.
    pub fn ruleset(&self) -> RulesetId {
        let mut hash = blake3::Hasher::new();
        hash.update(b"gf-async ruleset 1\0");
        let text = |hash: &mut blake3::Hasher, text: &str| {
            hash.update(&(text.len() as u32).to_le_bytes())
                .update(text.as_bytes());
        };
        text(&mut hash, &self.game);
        hash.update(&self.revision.to_le_bytes());
        text(&mut hash, if self.revision == 0 { &self.build } else { "" });
        let options = header_code::encode_options(&self.options);
        hash.update(&(options.len() as u32).to_le_bytes())
            .update(&options);
        hash.update(&[u8::from(self.content.is_some())]);
        hash.update(&self.content.unwrap_or_default());
        hash.update(&(self.mods.len() as u32).to_le_bytes());
        self.mods.iter().for_each(|name| text(&mut hash, name));
        hash.update(&self.rate.numer().to_le_bytes())
            .update(&self.rate.denom().to_le_bytes());
        hash.update(&[self.players, self.slot]);
        let mut id = [0; 16];
        id.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        RulesetId(id)
    }

    /// How many buttons-and-axes columns one player's input has: 0 where inputs are not recorded.
    pub(crate) fn columns(&self) -> usize {
        self.inputs
            .as_ref()
            .map_or(0, |schema| 1 + schema.axes.len())
    }

    fn check_texts(&self) -> Result<(), Error> {
        let long = [
            &self.game,
            &self.build,
            &self.player_name,
            &self.app,
            &self.board,
        ]
        .iter()
        .any(|text| text.len() > NAME_BYTES_MAX);
        if self.game.is_empty() || long || self.engine.len() > ENGINE_BYTES_MAX {
            return Err(Error::BadHeader(
                "a text that is too long, or a game without a name",
            ));
        }
        let mod_sizes = self.mods.iter().map(String::len);
        if self.mods.len() > MODS_MAX || mod_sizes.into_iter().any(|n| n == 0 || n > MOD_BYTES_MAX)
        {
            return Err(Error::BadHeader("at most 64 mods of 1 to 128 bytes"));
        }
        match &self.ticket {
            Some(ticket) if ticket.is_empty() || ticket.len() > TICKET_BYTES_MAX => {
                Err(Error::BadHeader("a ticket of 1 to 1,024 bytes"))
            }
            _ => Ok(()),
        }
    }

    fn check_meta(&self) -> Result<(), Error> {
        let fits = |(name, text): (&String, &String)| {
            (1..=META_NAME_BYTES_MAX).contains(&name.len()) && text.len() <= META_TEXT_BYTES_MAX
        };
        let small = self.meta.len() <= META_MAX && self.meta.iter().all(fits);
        if small && header_code::encode_meta(&self.meta).len() <= META_BYTES_MAX {
            return Ok(());
        }
        Err(Error::BadHeader(
            "meta of at most 16 texts of 256 bytes with names of 1 to 32, 1,024 bytes in all",
        ))
    }

    fn check_numbers(&self) -> Result<(), Error> {
        if self.seed > SEED_MAX {
            return Err(Error::BadHeader("a seed of at most 2^53 - 1"));
        }
        if self.players == 0 || usize::from(self.players) > PLAYERS_MAX || self.slot >= self.players
        {
            return Err(Error::BadHeader("1 to 8 players, and a slot below"));
        }
        if self.frames_max == 0 || self.frames_max > FRAMES_MAX {
            return Err(Error::BadHeader("1 to 216,000 frames at most"));
        }
        match self.opponent {
            Some(opponent) if opponent.slot >= self.players || opponent.slot == self.slot => {
                Err(Error::BadHeader("an opponent in another slot of the game"))
            }
            _ => Ok(()),
        }
    }
}
