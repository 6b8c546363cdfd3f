//! Who calls: the app, and where a call acts for a player, the proof.

use async_identity::{Call, CallNonce, verify_call};
use async_protocol::PlayerId;
use async_protocol::wire::headers;
use axum::http::request::Parts;
use data_encoding::HEXLOWER;

use super::query::Query;
use crate::clock::unix_ms;
use crate::failure::Failure;
use crate::service::Service;
use crate::service::apps::{AppClaim, resolve};

/// A header as text; one that is not visible ASCII counts as wrong, not as absent.
fn header<'a>(parts: &'a Parts, name: &str) -> Option<&'a str> {
    parts
        .headers
        .get(name)
        .map(|value| value.to_str().unwrap_or("\u{fffd}"))
}

/// The app that the request names, if any; see [`resolve`].
pub(super) fn claimed_app(
    service: &Service,
    parts: &Parts,
    query: Option<&Query<'_>>,
) -> Result<Option<String>, Failure> {
    let asked = query.and_then(|query| query.text("app"));
    let name = header(parts, headers::APP).or(asked);
    resolve(
        &service.config.apps,
        AppClaim {
            key: header(parts, headers::API_KEY),
            name,
        },
    )
}

/// The app of a call whose body does not name one.
pub(super) fn app(
    service: &Service,
    parts: &Parts,
    query: Option<&Query<'_>>,
) -> Result<String, Failure> {
    Ok(claimed_app(service, parts, query)?.unwrap_or_default())
}

/// True if the request claims to be signed.
pub(super) fn is_signed(parts: &Parts) -> bool {
    parts.headers.contains_key(headers::SIGNATURE)
}

/// Whether the nonce of a call may serve again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nonce {
    /// The call changes something: once.
    Once,
    /// It only reads.
    Again,
}

/// The player that a signed call acts for.
///
/// # Errors
/// `unsigned_call` where a header is missing, `bad_id`, `bad_nonce`, `nonce_expired`,
/// `nonce_used`, `bad_signature`.
pub(super) fn player(
    service: &Service,
    app: &str,
    parts: &Parts,
    body: &[u8],
    once: Nonce,
) -> Result<PlayerId, Failure> {
    let missing = || Failure::new("unsigned_call");
    let player = header(parts, headers::PLAYER).ok_or_else(missing)?;
    let nonce = header(parts, headers::NONCE).ok_or_else(missing)?;
    let signature = header(parts, headers::SIGNATURE).ok_or_else(missing)?;
    let player: PlayerId = player.parse()?;
    let nonce: [u8; 32] = hex(nonce).ok_or_else(|| Failure::new("bad_nonce"))?;
    let signature: [u8; 64] = hex(signature).ok_or_else(|| Failure::new("bad_signature"))?;
    let now_ms = unix_ms();
    CallNonce::check(&service.secrets.nonce_secret, &nonce, now_ms)?;
    let call = Call {
        server: &service.id,
        app,
        method: parts.method.as_str(),
        path_and_query: parts
            .uri
            .path_and_query()
            .map_or("/", |target| target.as_str()),
        body,
        nonce: &nonce,
    };
    verify_call(&player.0, &call, &signature)?;
    if once == Nonce::Once {
        service.nonces.spend(nonce, now_ms)?;
    }
    Ok(player)
}

fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}
