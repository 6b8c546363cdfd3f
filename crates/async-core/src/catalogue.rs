//! The games that can be started, by name and revision.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::fmt;

use crate::{Error, Game, InputSchema, Setup, arena};

/// Starts a game from a checked setup.
pub type Start = Arc<dyn Fn(&Setup) -> Result<Box<dyn Game>, Error> + Send + Sync>;

#[derive(Clone)]
struct Entry {
    name: String,
    revision: u32,
    schema: InputSchema,
    start: Start,
}

/// The games that can be started, by name and revision.
#[derive(Clone, Default)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

impl Catalogue {
    /// A catalogue without games.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The built-in games: `arena` revision 1.
    #[must_use]
    pub fn standard() -> Self {
        let mut catalogue = Self::empty();
        let start: Start = Arc::new(arena::start);
        catalogue.add(arena::NAME, arena::REVISION, arena::schema(), start);
        catalogue
    }

    /// Adds a game, replacing an entry of the same name and revision.
    pub fn add(&mut self, name: &str, revision: u32, schema: InputSchema, start: Start) {
        self.entries
            .retain(|entry| (entry.name.as_str(), entry.revision) != (name, revision));
        self.entries.push(Entry {
            name: name.to_string(),
            revision,
            schema,
            start,
        });
    }

    /// Starts a game.
    ///
    /// # Errors
    /// [`Error::UnknownGame`], [`Error::UnknownRevision`], whatever [`Setup::check`] refuses, and
    /// what the game itself refuses ([`Error::BadOption`], [`Error::BadPlayers`]).
    pub fn start(&self, name: &str, revision: u32, setup: &Setup) -> Result<Box<dyn Game>, Error> {
        let entry = self.entry(name, revision)?;
        setup.check()?;
        (entry.start)(setup)
    }

    /// The newest revision of a game, if there is the game.
    #[must_use]
    pub fn latest(&self, name: &str) -> Option<u32> {
        self.named(name).map(|entry| entry.revision).max()
    }

    /// The inputs that a game takes.
    ///
    /// # Errors
    /// [`Error::UnknownGame`], [`Error::UnknownRevision`].
    pub fn schema(&self, name: &str, revision: u32) -> Result<&InputSchema, Error> {
        Ok(&self.entry(name, revision)?.schema)
    }

    fn named(&self, name: &str) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.name == name)
    }

    fn entry(&self, name: &str, revision: u32) -> Result<&Entry, Error> {
        if self.latest(name).is_none() {
            return Err(Error::UnknownGame(name.chars().take(64).collect()));
        }
        self.named(name)
            .find(|entry| entry.revision == revision)
            .ok_or_else(|| Error::UnknownRevision {
                name: name.to_string(),
                revision,
            })
    }
}

impl fmt::Debug for Catalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), entry.revision));
        f.debug_list().entries(games).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrameRate, Options};

    #[test]
    fn unknown_games_and_revisions_are_told_apart() {
        let catalogue = Catalogue::standard();
        let rate = FrameRate::hz(60).unwrap();
        let setup = Setup {
            seed: 1,
            players: 1,
            slot: 0,
            rate,
            options: Options::default(),
        };
        let code = |name, revision| {
            catalogue
                .start(name, revision, &setup)
                .err()
                .unwrap()
                .code()
        };
        assert_eq!(code("chess", 1), "unknown_game");
        assert_eq!(code("arena", 0), "unknown_revision");
        assert_eq!(code("arena", 99), "unknown_revision");
        assert_eq!(catalogue.latest("arena"), Some(1));
        assert_eq!(catalogue.latest("chess"), None);
    }
}
