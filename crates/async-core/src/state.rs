//! The state of a game as a list of records of 32-bit words, and what walks over it.
//!
//! `record!` declares a struct together with the names of its words, `state!` declares a state as
//! records and pools of records. Both derive everything from that one list: a field that is not
//! saved, loaded, digested and traced cannot be written down.

use alloc::{string::String, vec::Vec};
use core::fmt::Write;

use crate::{Angle, Error, Fixed, Hasher, Vec2};

/// Walks over a state, record by record, in its fixed order.
pub(crate) trait Visitor {
    /// A pool comes, with so many records.
    fn length(&mut self, pool: &'static str, length: u32);
    /// A record; `index` is its place in its pool.
    fn record<R: Record>(&mut self, name: &'static str, index: Option<usize>, record: &R);
}

/// Walks over a state that it may change.
pub(crate) trait VisitorMut {
    /// The length that a pool is to have.
    fn length(&mut self, capacity: usize) -> Result<u32, Error>;
    /// The record that is to stand here.
    fn record<R: Record>(&mut self) -> Result<R, Error>;
}

/// A struct that is nothing but named words.
pub(crate) trait Record: Copy + Default {
    /// The names of the words.
    const LABELS: &'static [&'static str];
    /// As many words as there are labels.
    type Words: AsRef<[u32]> + AsMut<[u32]> + Copy;
    /// No words yet.
    const EMPTY: Self::Words;
    /// The words.
    fn words(&self) -> Self::Words;
    /// The record of these words; `None` if a word is not one that its field can have.
    fn of_words(words: Self::Words) -> Option<Self>;
}

/// A value that takes whole words of a record.
pub(crate) trait Part: Copy {
    /// How many words it takes.
    const WORDS: usize;
    /// Gives them in order.
    fn put(self, sink: &mut impl FnMut(u32));
    /// Reads them back.
    fn take(source: &mut impl FnMut() -> u32) -> Option<Self>;
}

macro_rules! one_word {
    ($kind:ty, $put:expr, $take:expr) => {
        impl Part for $kind {
            const WORDS: usize = 1;
            #[inline(always)]
            fn put(self, sink: &mut impl FnMut(u32)) {
                sink($put(self));
            }
            #[inline(always)]
            fn take(source: &mut impl FnMut() -> u32) -> Option<Self> {
                $take(source())
            }
        }
    };
}

one_word!(u32, |value| value, Some);
one_word!(i32, |value| value as u32, |word| Some(word as i32));
one_word!(Fixed, |value: Fixed| value.bits() as u32, |word| Some(
    Fixed::from_bits(word as i32)
));
one_word!(Angle, |value: Angle| u32::from(value.bits()), |word| {
    u16::try_from(word).ok().map(Angle::from_bits)
});

impl Part for u64 {
    const WORDS: usize = 2;
    #[inline(always)]
    fn put(self, sink: &mut impl FnMut(u32)) {
        sink(self as u32);
        sink((self >> 32) as u32);
    }
    #[inline(always)]
    fn take(source: &mut impl FnMut() -> u32) -> Option<Self> {
        let low = u64::from(source());
        Some(low | u64::from(source()) << 32)
    }
}

impl Part for Vec2 {
    const WORDS: usize = 2;
    #[inline(always)]
    fn put(self, sink: &mut impl FnMut(u32)) {
        self.x.put(sink);
        self.y.put(sink);
    }
    #[inline(always)]
    fn take(source: &mut impl FnMut() -> u32) -> Option<Self> {
        let x = Fixed::take(source)?;
        Some(Self {
            x,
            y: Fixed::take(source)?,
        })
    }
}

/// Up to `N` records. Which of them is where is part of the state; what lies behind the last one
/// is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool<R, const N: usize> {
    length: u32,
    items: [R; N],
}

impl<R: Record, const N: usize> Default for Pool<R, N> {
    fn default() -> Self {
        Self {
            length: 0,
            items: [R::default(); N],
        }
    }
}

impl<R: Record, const N: usize> Pool<R, N> {
    /// The records.
    #[inline(always)]
    pub(crate) fn all(&self) -> &[R] {
        &self.items[..(self.length as usize).min(N)]
    }

    /// The records, to change.
    #[inline(always)]
    pub(crate) fn all_mut(&mut self) -> &mut [R] {
        &mut self.items[..(self.length as usize).min(N)]
    }

    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.length as usize
    }

    /// Adds a record, unless the pool is full.
    pub(crate) fn push(&mut self, record: R) {
        if let Some(place) = self.items.get_mut(self.length as usize) {
            *place = record;
            self.length += 1;
        }
    }

    /// Removes a record; the last one takes its place.
    pub(crate) fn swap_remove(&mut self, index: usize) {
        let last = self.len().wrapping_sub(1);
        if index < self.len() && last < N {
            self.items[index] = self.items[last];
            self.length -= 1;
        }
    }

    /// Removes all records.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    #[inline(always)]
    pub(crate) fn visit(&self, name: &'static str, visitor: &mut impl Visitor) {
        visitor.length(name, self.length);
        for (index, record) in self.all().iter().enumerate() {
            visitor.record(name, Some(index), record);
        }
    }

    pub(crate) fn visit_mut(&mut self, visitor: &mut impl VisitorMut) -> Result<(), Error> {
        self.length = visitor.length(N)?;
        for record in self.all_mut() {
            *record = visitor.record()?;
        }
        Ok(())
    }
}

/// Declares a record: `field: Type = ["name of each word"];`.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$doc:meta])* $field:ident: $kind:ty = [$($label:literal),+];)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) struct $name {
            $($(#[$doc])* pub(crate) $field: $kind,)+
        }

        impl $crate::state::Record for $name {
            const LABELS: &'static [&'static str] = &[$($($label),+),+];
            type Words = [u32; [$($($label),+),+].len()];
            const EMPTY: Self::Words = [0; [$($($label),+),+].len()];

            #[inline(always)]
            fn words(&self) -> Self::Words {
                const {
                    let words = 0 $(+ <$kind as $crate::state::Part>::WORDS)+;
                    assert!(words == $name::LABELS.len(), "a name for each word");
                };
                let mut words = Self::EMPTY;
                let mut place = 0;
                $($crate::state::Part::put(self.$field, &mut |word| {
                    words[place] = word;
                    place += 1;
                });)+
                words
            }

            fn of_words(words: Self::Words) -> Option<Self> {
                let mut words = words.into_iter();
                let mut next = || words.next().unwrap_or(0);
                Some(Self { $($field: $crate::state::Part::take(&mut next)?,)+ })
            }
        }
    };
}

/// Declares a state: one record, then pools: `field: [Record; capacity] = "name";`.
macro_rules! state {
    ($(#[$meta:meta])* $name:ident {
        $(#[$head_doc:meta])* $head:ident: $head_kind:ty = $head_label:literal;
        $($(#[$doc:meta])* $pool:ident: [$kind:ty; $capacity:expr] = $label:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default)]
        pub(crate) struct $name {
            $(#[$head_doc])* pub(crate) $head: $head_kind,
            $($(#[$doc])* pub(crate) $pool: $crate::state::Pool<$kind, { $capacity }>,)+
        }

        impl $name {
            /// Shows every field to a visitor.
            #[inline(always)]
            pub(crate) fn visit(&self, visitor: &mut impl $crate::state::Visitor) {
                visitor.record($head_label, None, &self.$head);
                $(self.$pool.visit($label, visitor);)+
            }

            /// Lets a visitor fill every field.
            pub(crate) fn visit_mut(
                &mut self,
                visitor: &mut impl $crate::state::VisitorMut,
            ) -> Result<(), $crate::Error> {
                self.$head = visitor.record()?;
                $(self.$pool.visit_mut(visitor)?;)+
                Ok(())
            }
        }
    };
}

pub(crate) use {record, state};

impl Visitor for Hasher {
    #[inline(always)]
    fn length(&mut self, _pool: &'static str, length: u32) {
        Hasher::length(self, length);
    }

    #[inline(always)]
    fn record<R: Record>(&mut self, _name: &'static str, _index: Option<usize>, record: &R) {
        Hasher::record(self, record.words().as_ref());
    }
}

/// Appends the words of a state.
pub(crate) struct Saver<'a>(pub(crate) &'a mut Vec<u8>);

impl Visitor for Saver<'_> {
    fn length(&mut self, _pool: &'static str, length: u32) {
        self.0.extend_from_slice(&length.to_le_bytes());
    }

    fn record<R: Record>(&mut self, _name: &'static str, _index: Option<usize>, record: &R) {
        for word in record.words().as_ref() {
            self.0.extend_from_slice(&word.to_le_bytes());
        }
    }
}

/// Reads what a [`Saver`] wrote.
pub(crate) struct Loader<'a>(pub(crate) &'a [u8]);

impl Loader<'_> {
    fn word(&mut self) -> Result<u32, Error> {
        let (word, rest) = self
            .0
            .split_first_chunk()
            .ok_or(Error::BadSave("cut short"))?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*word))
    }

    /// That nothing is left over.
    pub(crate) fn end(self) -> Result<(), Error> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Error::BadSave("longer than the state"))
        }
    }
}

impl VisitorMut for Loader<'_> {
    fn length(&mut self, capacity: usize) -> Result<u32, Error> {
        let length = self.word()?;
        if length as usize > capacity {
            return Err(Error::BadSave("more records than there is room for"));
        }
        Ok(length)
    }

    fn record<R: Record>(&mut self) -> Result<R, Error> {
        let mut words = R::EMPTY;
        for word in words.as_mut() {
            *word = self.word()?;
        }
        R::of_words(words).ok_or(Error::BadSave("a field has a value that it cannot have"))
    }
}

/// Names every word of a state.
pub(crate) struct Tracer<'a> {
    name: String,
    field: &'a mut dyn FnMut(&str, u64),
}

impl<'a> Tracer<'a> {
    pub(crate) fn new(field: &'a mut dyn FnMut(&str, u64)) -> Self {
        Self {
            name: String::with_capacity(48),
            field,
        }
    }

    fn tell(&mut self, name: &str, index: Option<usize>, label: &str, value: u32) {
        self.name.clear();
        // Writing to a String cannot fail.
        let _ = match index {
            Some(index) => write!(self.name, "{name}[{index}].{label}"),
            None => write!(self.name, "{name}.{label}"),
        };
        (self.field)(&self.name, u64::from(value));
    }
}

impl Visitor for Tracer<'_> {
    fn length(&mut self, pool: &'static str, length: u32) {
        self.tell(pool, None, "count", length);
    }

    fn record<R: Record>(&mut self, name: &'static str, index: Option<usize>, record: &R) {
        for (label, word) in R::LABELS.iter().zip(record.words().as_ref()) {
            self.tell(name, index, label, *word);
        }
    }
}
