//! The kit net.async: sessions, recording, ghosts, submitting.
