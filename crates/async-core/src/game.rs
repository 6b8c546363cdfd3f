//! What every deterministic game offers.

use alloc::{boxed::Box, vec::Vec};
use core::any::Any;

use crate::{Angle, Error, Fault, Fixed, Input, InputSchema, Step, WorkBudget};

/// Which game this is. A change of behaviour is a new revision; old ones stay as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId<'a> {
    /// The name in the catalogue.
    pub name: &'a str,
    /// The frozen revision of its behaviour, from 1.
    pub revision: u32,
}

/// Which score is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// More is better: points.
    Descending,
    /// Less is better: times.
    Ascending,
}

/// What a [`Transform`] shows. The numbers are stable: the C ABI passes them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Kind {
    /// A player's body; the first entries are the players, in the order of their slots.
    Player = 0,
    /// A shot in flight; `detail` is its owner's slot.
    Shot = 1,
    /// Something to pick up; `detail` is the game's own kind of it.
    Orb = 2,
    /// Something that hunts; `detail` is the game's own kind of it.
    Drone = 3,
    /// A body of a physics scene; `detail` is 0.
    Body = 4,
}

/// Where something stands in this frame, for drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transform {
    /// x to the right, y down the screen, z towards the viewer, in world units (metres).
    pub position: [Fixed; 3],
    /// Rotation about z, from +x towards +y.
    pub yaw: Angle,
    /// Whether to draw it (a downed player is not).
    pub visible: bool,
    /// What it is.
    pub kind: Kind,
    /// More about it, see [`Kind`].
    pub detail: u8,
    /// Its radius, in world units.
    pub radius: Fixed,
}

/// What a [`Shape`] is. The numbers are stable: the C ABI passes them on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum ShapeKind {
    /// The whole field, its outer walls included; always the first shape.
    Field = 0,
    /// A solid block.
    Wall = 1,
    /// A gate: the disc inscribed in the box; `index` is its place in the lap.
    Gate = 2,
}

/// A part of the field that does not move, as an axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What it is.
    pub kind: ShapeKind,
    /// Which of its kind.
    pub index: u16,
    /// The corner with the smallest x and y, in world units.
    pub min: [Fixed; 2],
    /// The corner with the largest x and y, in world units.
    pub max: [Fixed; 2],
}

/// A running deterministic game.
///
/// It was started from a [`Setup`](crate::Setup) and changes only by [`step`](Self::step) and
/// [`load`](Self::load). [`digest`](Self::digest), [`save`](Self::save), [`load`](Self::load) and
/// [`trace`](Self::trace) cover the same fields: all that the future depends on.
pub trait Game: Send {
    /// Which game this is.
    fn id(&self) -> GameId<'_>;

    /// The inputs it takes.
    fn schema(&self) -> &InputSchema;

    /// How many slots it has, 1 to 8.
    fn players(&self) -> u8;

    /// Which score is the better one.
    fn order(&self) -> Order;

    /// Plays one frame with one input per slot.
    ///
    /// # Errors
    /// A [`Fault`]: [`Fault::WrongInputs`] unless there is one input per slot,
    /// [`Fault::TooExpensive`] when the budget is spent. The state is then not to be used further.
    fn step(&mut self, inputs: &[Input], budget: &mut WorkBudget) -> Result<Step, Fault>;

    /// The score of a slot so far; 0 for a slot that there is not.
    fn score(&self, slot: u8) -> i64;

    /// How far a slot has come: it never falls, and two runs of one course compare by it (the gap
    /// to a ghost is when either reached the same value). Race: gates and distance; else points.
    fn progress(&self, slot: u8) -> i64;

    /// A 64-bit hash of the whole state.
    fn digest(&self) -> u64;

    /// Appends the whole state.
    fn save(&self, out: &mut Vec<u8>);

    /// Takes on a saved state of the same game with the same setup.
    ///
    /// # Errors
    /// [`Error::BadSave`]; the state is then unchanged.
    fn load(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Every field of the state in a fixed order, as its name (`player[1].vel.y`) and its bits.
    fn trace(&self, field: &mut dyn FnMut(&str, u64));

    /// Appends what moves, as it stands in this frame; the first entries are the players.
    fn transforms(&self, out: &mut Vec<Transform>);

    /// Appends what does not move: the field, walls, gates.
    fn scenery(&self, out: &mut Vec<Shape>);

    /// What a screen shows about a slot beside its score: names and values, such as `time_ms`,
    /// `lap`, `health`. Names are stable within a revision.
    fn status(&self, slot: u8, field: &mut dyn FnMut(&'static str, i64));

    /// The game itself, for those who know its type.
    fn as_any(&self) -> &dyn Any;

    /// A copy that plays on by itself.
    fn boxed_clone(&self) -> Box<dyn Game>;
}
