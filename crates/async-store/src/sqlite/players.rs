//! Players as numbers.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use async_protocol::PlayerId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::Error;

/// Numbers of players, computed rather than looked up: reading a rank asks no table.
///
/// A number is 63 bits of a keyed hash, so at a hundred million players one pair in two thousand
/// such stores shares a hash. The later one of a pair is moved on to a free number and remembered
/// here; the key keeps anybody from making such pairs.
pub(crate) struct Numbers {
    key: [u8; 32],
    moved: RwLock<HashMap<PlayerId, u64>>,
}

impl Numbers {
    /// Reads the players that were moved.
    pub(crate) fn load(key: [u8; 32], conn: &Connection) -> Result<Self, Error> {
        let mut find = conn.prepare("SELECT key, id FROM players WHERE moved = 1")?;
        let rows = find.query_map([], |row| Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?)))?;
        let mut moved = HashMap::new();
        for row in rows {
            let (key, id): (Vec<u8>, i64) = row?;
            if let Ok(key) = key.try_into() {
                moved.insert(PlayerId(key), id as u64);
            }
        }
        Ok(Self {
            key,
            moved: RwLock::new(moved),
        })
    }

    /// The number of a player; of one who never sent anything, the number it would get.
    pub(crate) fn number(&self, player: PlayerId) -> u64 {
        let moved = self.moved.read().unwrap_or_else(PoisonError::into_inner);
        // Almost always empty.
        match moved.get(&player) {
            Some(number) => *number,
            None => self.hash(player),
        }
    }

    fn hash(&self, player: PlayerId) -> u64 {
        let hash = blake3::keyed_hash(&self.key, &player.0);
        let mut first = [0; 8];
        first.copy_from_slice(&hash.as_bytes()[..8]);
        u64::from_le_bytes(first) >> 1
    }

    /// The player's number, made if need be, and the name to show from now on. Tells whether the
    /// name of a known player changed.
    pub(crate) fn intern(
        &self,
        conn: &Connection,
        player: PlayerId,
        name: &str,
    ) -> rusqlite::Result<(u64, bool)> {
        let mut number = self.number(player);
        // Also one that a failed transaction moved, or the next start would not find the player.
        let mut moved = number != self.hash(player);
        loop {
            let mut find =
                conn.prepare_cached("SELECT key, name, renamed FROM players WHERE id = ?1")?;
            let found = find
                .query_row([number as i64], |row| {
                    let same_key = row.get_ref(0)?.as_blob()? == player.0;
                    let same_name = row.get_ref(1)?.as_str()? == name;
                    Ok((same_key, same_name, row.get::<_, bool>(2)?))
                })
                .optional()?;
            match found {
                None => break,
                Some((true, false, false)) => {
                    let sql = "UPDATE players SET name = ?2 WHERE id = ?1";
                    conn.prepare_cached(sql)?
                        .execute(params![number as i64, name])?;
                    return Ok((number, true));
                }
                Some((true, ..)) => return Ok((number, false)),
                Some((false, ..)) => {
                    number = (number + 1) & (i64::MAX as u64);
                    moved = true;
                }
            }
        }
        let sql = "INSERT INTO players (id, key, name, moved) VALUES (?1, ?2, ?3, ?4)";
        conn.prepare_cached(sql)?
            .execute(params![number as i64, player.0, name, moved])?;
        if moved {
            // Should the transaction fail, the player merely keeps a number of its own.
            let mut all = self.moved.write().unwrap_or_else(PoisonError::into_inner);
            all.insert(player, number);
        }
        Ok((number, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_of_one_hash_get_two_numbers_and_keep_them() -> Result<(), Error> {
        let mut conn = Connection::open_in_memory()?;
        super::super::file::migrate(&mut conn)?;
        let numbers = Numbers::load([1; 32], &conn)?;
        let (ann, bob) = (PlayerId([1; 32]), PlayerId([2; 32]));
        // No hash collides by chance, so somebody sits on Ann's number already.
        let taken = numbers.hash(ann);
        let sql = "INSERT INTO players (id, key, name) VALUES (?1, ?2, 'Bob')";
        conn.execute(sql, params![taken as i64, bob.0])?;
        let (number, _) = numbers.intern(&conn, ann, "Ann")?;
        assert_eq!(number, taken + 1);
        assert_eq!(numbers.intern(&conn, ann, "Ann")?, (number, false));
        assert_eq!(numbers.number(ann), number);
        assert_eq!(Numbers::load([1; 32], &conn)?.number(ann), number);
        Ok(())
    }
}
