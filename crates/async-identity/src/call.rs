//! Signed calls: a request that acts for a player.

use crate::APP_BYTES_MAX;
use crate::encoding::Encoder;
use crate::error::Error;
use crate::nonce::NONCE_BYTES;
use crate::statement::{CALL_DOMAIN, verify};

/// Longest server id in a call, in bytes.
pub const SERVER_BYTES_MAX: usize = 64;
/// Longest method in a call, in bytes.
pub const METHOD_BYTES_MAX: usize = 16;
/// Longest path with its query in a call, in bytes.
pub const PATH_BYTES_MAX: usize = 4_096;

/// A request as it is signed: a signature holds for this server, app, method, path, query, body
/// and nonce and for nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// The server's id, see [`ServerKey::server_id`](crate::ServerKey::server_id).
    pub server: &'a str,
    /// The app that the call is made for; may be empty.
    pub app: &'a str,
    /// The method in upper case, such as `POST`.
    pub method: &'a str,
    /// The path and, behind a `?`, the query, exactly as in the request line.
    pub path_and_query: &'a str,
    /// The body, exactly as sent.
    pub body: &'a [u8],
    /// A nonce of that server, [`NONCE_BYTES`] long.
    pub nonce: &'a [u8],
}

impl Call<'_> {
    /// The signed bytes: domain and fields.
    pub(crate) fn message(&self) -> Result<Vec<u8>, Error> {
        if self.nonce.len() != NONCE_BYTES {
            return Err(Error::BadField("nonce"));
        }
        let mut out = Encoder::new(CALL_DOMAIN);
        out.text(self.server, SERVER_BYTES_MAX, "server")?;
        out.text(self.app, APP_BYTES_MAX, "app")?;
        out.text(self.method, METHOD_BYTES_MAX, "method")?;
        out.text(self.path_and_query, PATH_BYTES_MAX, "path")?;
        out.fixed(blake3::hash(self.body).as_bytes())
            .fixed(self.nonce);
        Ok(out.into_bytes())
    }
}

/// Checks that `player` signed this call. Whether its nonce is fresh is
/// [`CallNonce::check`](crate::CallNonce::check)'s question.
///
/// # Errors
/// [`Error::BadKey`], [`Error::BadSignature`], or [`Error::BadField`] if a part of the call is
/// longer than any call that could have been signed.
pub fn verify_call(player: &[u8; 32], call: &Call<'_>, signature: &[u8; 64]) -> Result<(), Error> {
    verify(player, &call.message()?, signature)
}
