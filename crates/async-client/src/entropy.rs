//! Randomness of a session: a stream drawn from the host's 32 bytes, so that the same bytes and the
//! same calls give the same session.

/// Draws from the entropy that the host gave.
#[derive(Debug)]
pub(crate) struct Entropy {
    key: [u8; 32],
    drawn: u64,
}

impl Entropy {
    pub(crate) fn new(bytes: [u8; 32]) -> Self {
        Self {
            key: bytes,
            drawn: 0,
        }
    }

    /// 32 bytes for one named purpose, independent of what was drawn before: the device's key must
    /// not depend on how many seeds were drawn first.
    pub(crate) fn named(&self, purpose: &str) -> [u8; 32] {
        blake3::derive_key(purpose, &self.key)
    }

    /// The next 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.drawn += 1;
        let hash = blake3::keyed_hash(&self.key, &self.drawn.to_le_bytes());
        let mut word = [0; 8];
        word.copy_from_slice(&hash.as_bytes()[..8]);
        u64::from_le_bytes(word)
    }

    /// A seed of a run: 0..2^53.
    pub(crate) fn seed(&mut self) -> u64 {
        self.next() >> 11
    }

    /// A number in 0..bound; 0 for an empty range. (The bias of a remainder is below 2^-50 here.)
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.next() % bound }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_give_the_same_stream() {
        let draw = |byte| {
            let mut entropy = Entropy::new([byte; 32]);
            [entropy.next(), entropy.seed(), entropy.below(10)]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(Entropy::new([1; 32]).below(0), 0);
    }

    #[test]
    fn a_named_key_ignores_what_was_drawn() {
        let mut entropy = Entropy::new([3; 32]);
        let before = entropy.named("a");
        entropy.next();
        assert_eq!(before, entropy.named("a"));
        assert_ne!(before, entropy.named("b"));
    }
}
