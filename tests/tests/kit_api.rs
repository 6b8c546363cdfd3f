//! What `kit api` tells of is what a session has.

#![allow(clippy::unwrap_used, reason = "a test fails so")]

use async_client::Session;
use async_protocol::settings::table::KITS;
use serde_json::json;

/// Services that the table names and that a session does not have yet.
const PLANNED: &[&str] = &["net.replay"];

fn code_of(service: &str, method: &str) -> String {
    let mut session = Session::new(&[("net.async", json!({}))], [7; 32]).unwrap();
    let answer = session.call(service, method, &json!({}));
    answer["code"].as_str().unwrap_or("ok").to_owned()
}

#[test]
fn every_method_of_the_table_is_one_of_the_session() {
    for service in KITS.iter().flat_map(|kit| kit.services()) {
        for method in service.methods {
            let code = code_of(service.name, method);
            let planned = PLANNED.contains(&service.name);
            let missing = code == "unknown_method" || code == "unknown_service";
            assert_eq!(missing, planned, "{} {method}: {code}", service.name);
        }
    }
    assert_eq!(code_of("net.async", "recordstart"), "unknown_method");
    assert_eq!(code_of("net.asinc", "recordStart"), "unknown_service");
}

#[test]
fn every_variable_of_the_table_is_one_of_the_session() {
    let session = Session::new(&[("net.async", json!({}))], [7; 32]).unwrap();
    for variable in KITS.iter().flat_map(|kit| kit.variables()) {
        let value = session.variable(variable.name).unwrap();
        let fits = match variable.kind {
            "number" => value.is_number(),
            _ => value.is_boolean(),
        };
        assert!(fits, "{} is {value}", variable.name);
    }
    assert_eq!(session.variable("net.async.frames"), None);
}

#[test]
fn a_session_refuses_a_setting_with_the_tables_words() {
    let error = Session::new(&[("net.async", json!({ "frameHz": 9 }))], [7; 32]).unwrap_err();
    assert_eq!(error.code(), "bad_setting");
    assert_eq!(
        error.to_string(),
        "net.async: frameHz is 9, allowed is an integer from 10 to 120"
    );
}
