//! A server in this process on a free port, and players that send it runs over real HTTP.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

pub(crate) mod recordings;

use std::time::Duration;

use async_identity::{Call, PlayerKey};
use async_server::{Config, Running, Server};
use data_encoding::HEXLOWER;
use serde_json::Value;
use tempfile::TempDir;

pub(crate) const BASE: &str = "/api/v1/async";

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: ureq::http::HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        let read = serde_json::from_slice(&self.bytes);
        assert!(
            read.is_ok(),
            "no JSON: {}",
            String::from_utf8_lossy(&self.bytes)
        );
        read.unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The code of an error body, or "ok".
    pub(crate) fn code(&self) -> String {
        if self.status < 400 {
            return "ok".to_owned();
        }
        let body = self.json();
        assert!(
            body["error"].is_string() && body.get("details").is_some(),
            "{body}"
        );
        body["code"].as_str().unwrap().to_owned()
    }

    /// The JSON of a success.
    pub(crate) fn good(&self) -> Value {
        assert!(
            self.status < 300,
            "{}: {}",
            self.status,
            String::from_utf8_lossy(&self.bytes)
        );
        self.json()
    }
}

/// Speaks HTTP to one server.
pub(crate) struct Caller {
    pub(crate) url: String,
    agent: ureq::Agent,
}

impl Caller {
    pub(crate) fn new(url: &str) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(20)))
            .build();
        Self {
            url: url.to_owned(),
            agent: config.new_agent(),
        }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask_with(path, &[])
    }

    pub(crate) fn ask_with(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = self.agent.get(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        reply(request.call().unwrap())
    }

    pub(crate) fn post(&self, path: &str, body: &[u8]) -> Reply {
        self.post_with(path, body, &[])
    }

    pub(crate) fn post_with(&self, path: &str, body: &[u8], headers: &[(&str, &str)]) -> Reply {
        self.try_post(path, body, headers).unwrap()
    }

    pub(crate) fn try_post(
        &self,
        path: &str,
        body: &[u8],
        headers: &[(&str, &str)],
    ) -> Result<Reply, ureq::Error> {
        let mut request = self.agent.post(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.send(body).map(reply)
    }

    pub(crate) fn api(&self, path: &str) -> Reply {
        self.get(&format!("{BASE}{path}"))
    }

    pub(crate) fn submit(&self, run: &[u8]) -> Reply {
        self.post(&format!("{BASE}/runs"), run)
    }

    /// The headers of a call signed by `key`, with a fresh nonce.
    pub(crate) fn sign(
        &self,
        key: &PlayerKey,
        app: &str,
        method: &str,
        path: &str,
        body: &[u8],
    ) -> Vec<(&'static str, String)> {
        let answer = self.post(&format!("{BASE}/nonce"), b"").good();
        let nonce = HEXLOWER
            .decode(answer["nonce"].as_str().unwrap().as_bytes())
            .unwrap();
        let call = Call {
            server: answer["server"].as_str().unwrap(),
            app,
            method,
            path_and_query: path,
            body,
            nonce: &nonce,
        };
        let signature = key.sign_call(&call).unwrap();
        vec![
            ("x-app", app.to_owned()),
            ("x-player", HEXLOWER.encode(&key.player())),
            ("x-nonce", HEXLOWER.encode(&nonce)),
            ("x-signature", HEXLOWER.encode(&signature)),
        ]
    }

    pub(crate) fn signed_post(&self, key: &PlayerKey, app: &str, path: &str, body: &str) -> Reply {
        let headers = self.sign(key, app, "POST", path, body.as_bytes());
        self.post_with(path, body.as_bytes(), &borrowed(&headers))
    }

    pub(crate) fn signed_get(&self, key: &PlayerKey, app: &str, path: &str) -> Reply {
        let headers = self.sign(key, app, "GET", path, b"");
        self.ask_with(path, &borrowed(&headers))
    }
}

pub(crate) fn borrowed<'a>(headers: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    headers
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

fn reply(mut response: ureq::http::Response<ureq::Body>) -> Reply {
    Reply {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        bytes: response.body_mut().read_to_vec().unwrap(),
    }
}

/// A server over a data file of its own.
pub(crate) struct Site {
    pub(crate) caller: Caller,
    pub(crate) folder: TempDir,
    running: Option<Running>,
    toml: String,
}

impl std::ops::Deref for Site {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

impl Site {
    /// As it is without any configuration.
    pub(crate) fn new() -> Self {
        Self::with("")
    }

    pub(crate) fn with(toml: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let running = start(&folder, toml);
        let caller = Caller::new(&format!("http://{}", running.address()));
        Self {
            caller,
            folder,
            running: Some(running),
            toml: toml.to_owned(),
        }
    }

    /// Stops it and starts it again over the same file.
    pub(crate) fn restart(&mut self) {
        let toml = self.toml.clone();
        self.restart_with(&toml);
    }

    pub(crate) fn restart_with(&mut self, toml: &str) {
        self.running.take().unwrap().stop();
        let running = start(&self.folder, toml);
        self.caller = Caller::new(&format!("http://{}", running.address()));
        self.running = Some(running);
    }

    /// Visible entries of a board.
    pub(crate) fn total(&self, board: &str) -> u64 {
        self.api(&format!("/boards/{board}?rows=0")).good()["total"]
            .as_u64()
            .unwrap()
    }

    /// Runs kept in all, on whatever board.
    pub(crate) fn kept(&self) -> usize {
        self.api("/runs?rows=100").good()["rows"]
            .as_array()
            .unwrap()
            .len()
    }
}

fn start(folder: &TempDir, toml: &str) -> Running {
    let mut config = Config::from_toml(toml).unwrap();
    config.listen = "127.0.0.1:0".parse().unwrap();
    config.data = folder.path().join("data.sqlite");
    config.http_threads = 2;
    config.verify_threads = 2;
    Server::start(config).unwrap()
}
