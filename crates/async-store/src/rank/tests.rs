use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// Ranks as anyone would compute them: sort and look.
#[derive(Default)]
struct Plain {
    entries: Vec<Entry>,
}

impl Plain {
    fn set(&mut self, entry: Entry) {
        self.remove(entry.player);
        self.entries.push(entry);
        self.entries.sort();
    }

    fn remove(&mut self, player: u64) -> Option<Entry> {
        let at = self
            .entries
            .iter()
            .position(|entry| entry.player == player)?;
        Some(self.entries.remove(at))
    }
}

#[track_caller]
fn check_equal(ranks: &Ranks, plain: &Plain) {
    assert_eq!(ranks.len(), plain.entries.len());
    let all: Vec<_> = ranks.from(0).collect();
    assert_eq!(all, plain.entries);
    for (position, entry) in plain.entries.iter().enumerate() {
        assert_eq!(ranks.before(entry.key), position);
        assert_eq!(ranks.best(entry.player), Some(*entry));
        assert_eq!(ranks.from(position).next(), Some(*entry));
        let better = plain
            .entries
            .iter()
            .filter(|other| other.key.key < entry.key.key)
            .count();
        assert_eq!(ranks.better(entry.key.key), better);
    }
    assert_eq!(ranks.from(all.len()).next(), None);
    assert_eq!(ranks.from(usize::MAX).next(), None);
}

fn remove(ranks: &mut Ranks, player: u64) {
    if let Some(entry) = ranks.best(player) {
        ranks.change(player, Some(entry.key), None, None);
    }
}

/// Keys with many ties, and the ends of the range.
fn key() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => -3i64..3,
        1 => Just(i64::MIN),
        1 => Just(i64::MAX),
        1 => prop::num::i64::ANY,
        1 => (1i64 << 53) - 2..(1 << 53) + 3,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn ranks_equal_brute_force(ops in prop::collection::vec((key(), 0u64..40, 0u8..5), 0..300)) {
        let (mut ranks, mut plain) = (Ranks::default(), Plain::default());
        for (tie, (key, player, kind)) in ops.into_iter().enumerate() {
            if kind == 0 {
                remove(&mut ranks, player);
                plain.remove(player);
            } else {
                let entry = Entry { key: Key { key, tie: tie as u64 }, player };
                ranks.set(entry);
                plain.set(entry);
            }
        }
        check_equal(&ranks, &plain);
        check_equal(&Ranks::build(plain.entries.clone()), &plain);
    }
}

#[test]
fn case_n5_order_holds_from_the_smallest_to_the_largest_score() {
    let scores = [
        i64::MIN,
        i64::MIN + 1,
        -10_000,
        -9_999,
        -1,
        0,
        1,
        i64::MAX - 1,
        i64::MAX,
    ];
    for descending in [false, true] {
        let mut ranks = Ranks::default();
        for (player, score) in scores.into_iter().enumerate() {
            let key = if descending { !score } else { score };
            ranks.set(Entry {
                key: Key {
                    key,
                    tie: player as u64,
                },
                player: player as u64,
            });
        }
        let mut order: Vec<_> = ranks
            .from(0)
            .map(|entry| scores[entry.player as usize])
            .collect();
        if descending {
            order.reverse();
        }
        assert_eq!(order, scores);
    }
}

/// A xorshift: the stress needs numbers, not secrets.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn a_hundred_thousand_changes_keep_order_and_counts() {
    let mut state = 88_172_645_463_325_252;
    let (mut ranks, mut plain) = (Ranks::default(), BTreeMap::<u64, Key>::new());
    for tie in 0..100_000 {
        let player = random(&mut state) % 5_000;
        // Waves of removals shrink the tree to almost nothing, so that leaves join and vanish.
        let removes = (tie / 20_000) % 2 == 1;
        if removes && random(&mut state) > u64::MAX / 8 {
            remove(&mut ranks, player);
            plain.remove(&player);
        } else if !removes {
            let key = Key {
                key: (random(&mut state) % 50) as i64,
                tie,
            };
            ranks.set(Entry { key, player });
            plain.insert(player, key);
        }
    }
    let mut entries: Vec<_> = plain
        .iter()
        .map(|(player, key)| Entry {
            key: *key,
            player: *player,
        })
        .collect();
    entries.sort();
    assert!(entries.len() > 1_000);
    check_equal(&ranks, &Plain { entries });
    for player in 0..5_000 {
        remove(&mut ranks, player);
    }
    assert!(ranks.is_empty());
    assert_eq!(ranks.from(0).next(), None);
}

#[test]
fn several_entries_of_one_player_count_each_and_name_the_best() {
    let at = |key, tie| Key { key, tie };
    let mut ranks = Ranks::default();
    ranks.change(7, None, Some(at(5, 1)), Some(at(5, 1)));
    ranks.change(7, None, Some(at(9, 2)), Some(at(5, 1)));
    ranks.change(8, None, Some(at(6, 3)), Some(at(6, 3)));
    assert_eq!(ranks.len(), 3);
    assert_eq!(ranks.best(7).map(|entry| entry.key), Some(at(5, 1)));
    assert_eq!(ranks.before(at(9, 2)), 2);
    ranks.change(7, Some(at(5, 1)), None, Some(at(9, 2)));
    assert_eq!(ranks.best(7).map(|entry| entry.key), Some(at(9, 2)));
    assert_eq!(ranks.better(9), 1);
    ranks.change(7, Some(at(9, 2)), None, None);
    assert_eq!(ranks.best(7), None);
    assert_eq!(ranks.len(), 1);
}

#[test]
fn an_entry_takes_at_most_40_bytes_built_or_grown() {
    const ENTRIES: u64 = 200_000;
    let mut state = 1;
    let mut entry = |tie| {
        let key = (random(&mut state) >> 20) as i64;
        Entry {
            key: Key { key, tie },
            player: random(&mut state),
        }
    };
    let built = Ranks::build((0..ENTRIES).map(&mut entry).collect());
    let mut grown = Ranks::default();
    (0..ENTRIES).for_each(|tie| grown.set(entry(tie)));
    for ranks in [built, grown] {
        assert!(
            ranks.bytes() <= 40 * ranks.len(),
            "{} bytes an entry",
            ranks.bytes() / ranks.len()
        );
    }
}
