//! Nonces, tickets, limits and keys.

use std::sync::Arc;
use std::time::Duration;

use async_identity::CallNonce;
use async_protocol::limits;
use async_protocol::wire::{KeyInfo, KeysAnswer, LimitsAnswer, NonceAnswer, TicketRequest};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Response, StatusCode};
use data_encoding::HEXLOWER;

use super::answer::json;
use super::signed::{self, Nonce};
use super::{body, query::Query};
use crate::clock::unix_ms;
use crate::failure::Failure;
use crate::service::Service;
use crate::service::tickets::{Asking, random};

type Answer = Result<Response<Body>, Failure>;

/// `POST /nonce`.
pub(super) async fn nonce(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, _) = request.into_parts();
    Query::parse(parts.uri.query(), &[])?;
    let app = signed::app(&service, &parts, None)?;
    let now_ms = unix_ms();
    let nonce = CallNonce::issue(&service.secrets.nonce_secret, now_ms, random()?);
    json(
        StatusCode::OK,
        &NonceAnswer {
            nonce: HEXLOWER.encode(&nonce),
            server: service.id.clone(),
            app,
            lifetime_ms: limits::CALL_NONCE_LIFETIME_MS,
            server_ms: now_ms,
        },
    )
}

/// `POST /tickets`, signed.
pub(super) async fn ticket(State(service): State<Arc<Service>>, request: Request) -> Answer {
    let (parts, body) = request.into_parts();
    Query::parse(parts.uri.query(), &[])?;
    let app = signed::app(&service, &parts, None)?;
    let timeout = Duration::from_millis(service.config.body_timeout_ms);
    let body = body::read(&parts.headers, body, limits::JSON_BODY_MAX_BYTES, timeout).await?;
    let player = signed::player(&service, &app, &parts, &body, Nonce::Once)?;
    let asked: TicketRequest = serde_json::from_slice(&body)
        .map_err(|error| Failure::new("bad_body").say(&error.to_string()))?;
    if asked.build.len() > limits::BUILD_MAX_BYTES {
        return Err(Failure::new("bad_body").say("build is too long"));
    }
    let asking = Asking {
        app,
        player,
        now_ms: unix_ms(),
    };
    json(StatusCode::OK, &service.issue_ticket(asking, asked).await?)
}

/// `GET /limits`.
pub(super) async fn limits(State(service): State<Arc<Service>>, request: Request) -> Answer {
    Query::parse(request.uri().query(), &[])?;
    let config = &service.config;
    let small = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let size = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    json(
        StatusCode::OK,
        &LimitsAnswer {
            run_max_bytes: small(config.max_run_bytes),
            run_max_frames: service.limits.frames_max,
            run_max_players: service.limits.players_max,
            json_body_max_bytes: size(limits::JSON_BODY_MAX_BYTES),
            board_max_rows: small(config.board_rows),
            board_default_rows: small(config.board_default_rows.min(config.board_rows)),
            board_key_max_bytes: size(limits::BOARD_KEY_MAX_BYTES),
            auto_boards_max_count: small(config.auto_boards),
            player_name_max_bytes: size(limits::PLAYER_NAME_MAX_BYTES),
            player_name_max_graphemes: size(limits::PLAYER_NAME_MAX_GRAPHEMES),
            call_nonce_lifetime_ms: limits::CALL_NONCE_LIFETIME_MS,
            ticket_lifetime_ms: config.ticket_lifetime_ms,
            daily_grace_ms: config.daily_grace_ms,
        },
    )
}

/// `GET /keys`.
pub(super) async fn keys(State(service): State<Arc<Service>>, request: Request) -> Answer {
    Query::parse(request.uri().query(), &[])?;
    let current = *service.ring.current();
    let mut keys: Vec<KeyInfo> = service
        .ring
        .keys()
        .map(|(id, public)| KeyInfo {
            key_id: HEXLOWER.encode(id),
            public: HEXLOWER.encode(public),
            current: *public == current,
        })
        .collect();
    keys.sort_by_key(|key| !key.current);
    json(
        StatusCode::OK,
        &KeysAnswer {
            server: service.id.clone(),
            keys,
        },
    )
}
