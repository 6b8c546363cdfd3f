//! A run and a catalogue of games in, a verdict out.
