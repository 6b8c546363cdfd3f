//! Player names: shown, never an identity.
//!
//! A name may be any text in any script, but nothing in it may be invisible, reorder what stands
//! around it, or grow over the line: two players' names that look different are different, and one
//! name cannot break a board's layout, a log line or a terminal.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;

use crate::Error;
use crate::limits::{
    PLAYER_NAME_GRAPHEME_MAX_BYTES, PLAYER_NAME_MAX_BYTES, PLAYER_NAME_MAX_GRAPHEMES,
    PLAYER_NAME_RAW_MAX_BYTES,
};

/// Cleans a name for storing: NFC; control, bidi, zero-width and other invisible characters
/// removed; runs of white space joined to one space, none at the ends; no accent without a letter.
/// An empty result is fine (a player without a name). Cleaning twice changes nothing.
///
/// # Errors
/// [`Error::BadName`] if it is longer than the caps after that, or too long to be read at all.
pub fn clean(raw: &str) -> Result<String, Error> {
    if raw.len() > PLAYER_NAME_RAW_MAX_BYTES {
        return Err(Error::BadName("has more than 512 bytes"));
    }
    let name = visible(raw);
    if name
        .graphemes(true)
        .any(|grapheme| grapheme.len() > PLAYER_NAME_GRAPHEME_MAX_BYTES)
    {
        return Err(Error::BadName("has a character of more than 32 bytes"));
    }
    if name.len() > PLAYER_NAME_MAX_BYTES {
        return Err(Error::BadName("has more than 64 bytes"));
    }
    if name.graphemes(true).count() > PLAYER_NAME_MAX_GRAPHEMES {
        return Err(Error::BadName("has more than 24 characters"));
    }
    Ok(name)
}

/// The same for a name that must be shown whatever it is: cut between characters instead of
/// refused, and of a character that is too long only its letter is kept.
#[must_use]
pub fn clean_cut(raw: &str) -> String {
    let name = visible(cut(raw, PLAYER_NAME_RAW_MAX_BYTES));
    let mut kept = String::with_capacity(PLAYER_NAME_MAX_BYTES);
    for grapheme in name.graphemes(true).take(PLAYER_NAME_MAX_GRAPHEMES) {
        let fits = grapheme.len() <= PLAYER_NAME_GRAPHEME_MAX_BYTES;
        let letter = grapheme.chars().next().map_or(0, char::len_utf8);
        let grapheme = if fits { grapheme } else { &grapheme[..letter] };
        if kept.len() + grapheme.len() > PLAYER_NAME_MAX_BYTES {
            break;
        }
        kept.push_str(grapheme);
    }
    kept.truncate(kept.trim_end().len());
    kept
}

/// At most so many bytes, cut between characters.
fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn visible(raw: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c == BRAILLE_BLANK;
    let shown = raw.chars().filter(|c| blank(*c) || !invisible(*c));
    let composed: String = shown.nfc().collect();
    let words = composed
        .split(blank)
        .map(|word| word.trim_start_matches(is_combining_mark));
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Looks like a space, though Unicode does not call it one.
const BRAILLE_BLANK: char = '\u{2800}';

/// Controls, and Unicode's Default_Ignorable_Code_Point with the format characters beside it:
/// what a reader cannot see. A table, since neither standard library nor our crates have one.
fn invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}'
            | '\u{115F}'..='\u{1160}' // Hangul fillers
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' // zero width and direction marks
            | '\u{2028}'..='\u{202E}' // separators, bidi embeddings and overrides
            | '\u{2060}'..='\u{206F}' // word joiner, bidi isolates
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' // variation selectors
            | '\u{FEFF}' | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{FFFE}'..='\u{FFFF}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}') // tags and more variation selectors
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(raw: &str, cleaned: &str) {
        assert_eq!(clean(raw).as_deref(), Ok(cleaned), "{raw:?}");
        assert_eq!(clean_cut(raw), cleaned, "{raw:?}");
    }

    fn refused(raw: &str, cut: &str) {
        assert_eq!(clean(raw).unwrap_err().code(), "bad_name", "{raw:?}");
        assert_eq!(clean_cut(raw), cut, "{raw:?}");
    }

    #[test]
    fn case_p5_a_name_is_only_shown_so_any_script_is_fine() {
        check("", "");
        check("Ada", "Ada");
        check("Żółć 玩家 لاعب", "Żółć 玩家 لاعب");
        check("e\u{301}", "é");
        check("\u{212B}ngström", "Ångström");
        check("क्षि", "क्षि");
    }

    #[test]
    fn case_p5_what_cannot_be_seen_is_removed() {
        check("a\u{0}b\tc\u{7f}\u{9b}31m", "ab c31m");
        check("\u{202E}evil\u{202C}", "evil");
        check("\u{2066}a\u{2069}\u{200F}", "a");
        check("a\u{200B}\u{200D}\u{2060}\u{FEFF}b", "ab");
        check("\u{3164}\u{115F}\u{2800}", "");
        check("a\u{E0041}\u{FE0F}\u{AD}", "a");
        check("  a \u{3000}\n b\u{2029}c ", "a b c");
        check("\u{301}\u{302}a", "a");
        check("a \u{301}b", "a b");
    }

    #[test]
    fn case_p5_bytes_characters_and_one_huge_character_are_capped() {
        check(&"a".repeat(24), &"a".repeat(24));
        refused(&"a".repeat(25), &"a".repeat(24));
        check(&"界".repeat(21), &"界".repeat(21));
        refused(&"界".repeat(22), &"界".repeat(21));
        let zalgo = format!("a{}", "\u{35C}".repeat(100));
        refused(&zalgo, "a");
        refused(&format!("{zalgo}b"), "ab");
        refused(&"a".repeat(513), &"a".repeat(24));
        let many_spaces = format!("{}x y{}", " ".repeat(23), " ".repeat(300));
        check(&many_spaces, "x y");
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(
            raw in "\\PC{0,40}|.{0,200}|[a\u{301}\u{200d} ]{0,90}",
        ) {
            let cut = clean_cut(&raw);
            prop_assert!(cut.len() <= PLAYER_NAME_MAX_BYTES);
            prop_assert!(cut.graphemes(true).count() <= PLAYER_NAME_MAX_GRAPHEMES);
            prop_assert_eq!(clean(&cut), Ok(cut.clone()));
            prop_assert!(!cut.chars().any(invisible));
            if let Ok(name) = clean(&raw) {
                prop_assert_eq!(name, cut);
            }
        }
    }
}
