//! Figures, each beside a rival measured in the same run.
