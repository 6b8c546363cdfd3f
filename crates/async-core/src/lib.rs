//! The deterministic simulation: games, inputs, fixed-point maths, seeded randomness, digests.
