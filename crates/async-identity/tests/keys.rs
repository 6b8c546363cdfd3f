//! Keys: which are refused, how they travel as text, and that secrets stay unseen.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use async_identity::*;
use data_encoding::HEXLOWER;

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    HEXLOWER.decode(hex.as_bytes()).unwrap().try_into().unwrap()
}

#[test]
fn keys_of_small_order_are_refused() {
    // The eight torsion points, and the spellings of them that a lenient decoder takes as well.
    let small = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ];
    // R = the neutral point, S = 0: the signature that a small-order key makes hold for anything.
    let mut anything = [0; 64];
    anything[0] = 1;
    for key in small {
        let key = bytes(key);
        assert_eq!(check_player(&key), Err(Error::BadKey));
        assert_eq!(verify_run(&key, &[0; 32], &anything), Err(Error::BadKey));
        assert_eq!(KeyRing::new(key), Err(Error::BadKey));
    }
}

#[test]
fn a_second_spelling_of_a_key_is_refused() {
    // y = 3 and y = p + 3 are one point of large order to a decoder that reduces.
    let mut plain = [0; 32];
    plain[0] = 3;
    assert_eq!(check_player(&plain), Ok(()));
    let mut again = [0xff; 32];
    again[0] = 0xf0;
    again[31] = 0x7f;
    assert_eq!(check_player(&again), Err(Error::BadKey));
    again[31] = 0xff;
    assert_eq!(check_player(&again), Err(Error::BadKey));
}

#[test]
fn a_signature_has_one_form() {
    // S + L is the same scalar to a verifier that reduces it.
    let order: [u8; 32] = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let player = PlayerKey::from_seed([1; 32]);
    let mut signature = player.sign_run(&[2; 32]);
    assert_eq!(verify_run(&player.player(), &[2; 32], &signature), Ok(()));
    let mut carry = 0;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        *byte = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    assert_eq!(
        verify_run(&player.player(), &[2; 32], &signature),
        Err(Error::BadSignature)
    );
}

#[test]
fn keys_agree_with_rfc_8032() {
    let key = PlayerKey::from_seed(bytes(
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    ));
    let public: [u8; 32] =
        bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    assert_eq!(key.player(), public);
}

#[test]
fn exported_keys_come_back_however_they_are_typed() {
    let key = PlayerKey::from_seed([200; 32]);
    let text = key.export();
    assert_eq!(text.len(), "gfkey1".len() + 8 * 9);
    let typed = [
        text.clone(),
        format!("  {text}\n"),
        text.to_uppercase(),
        text.replacen('-', " ", 8).replacen(' ', "-", 1),
        format!("{}-{}", &text[..6], text[6..].replace('-', "")),
        text.replace('0', "O").replace("-1", "-l"),
    ];
    for typed in typed {
        assert_eq!(
            PlayerKey::import(&typed).unwrap().seed(),
            key.seed(),
            "{typed}"
        );
    }
}

#[test]
fn mistyped_keys_are_refused() {
    let text = PlayerKey::from_seed([200; 32]).export();
    let code = |text: &str| PlayerKey::import(text).err().map(|error| error.code());
    for place in 7..text.len() {
        let is = text.as_bytes()[place];
        if is == b'-' {
            continue;
        }
        for other in *b"0123456789abcdefghjkmnpqrstvwxyzu" {
            let mut typed = text.clone().into_bytes();
            typed[place] = other;
            let typed = String::from_utf8(typed).unwrap();
            assert_eq!(
                code(&typed),
                (other != is).then_some("bad_key_text"),
                "{typed}"
            );
        }
    }
    for length in 0..text.len() {
        assert_eq!(code(&text[..length]), Some("bad_key_text"));
    }
    assert_eq!(code(&format!("{text}0")), Some("bad_key_text"));
    assert_eq!(
        code(&text.replace("gfkey1", "gfkey2")),
        Some("unknown_version")
    );
    assert_eq!(
        code(&text.replace("gfkey1", "gfkey0")),
        Some("bad_key_text")
    );
    assert_eq!(
        code(&text.replace("gfkey1", "gfkey01")),
        Some("bad_key_text")
    );
    assert_eq!(code(&"gfkeyü".repeat(3)), Some("bad_key_text"));
    assert_eq!(code(&"x".repeat(100_000)), Some("bad_key_text"));
}

#[test]
fn debug_shows_no_secret() {
    let seed = [0xab; 32];
    let shown = format!(
        "{:?} {:?}",
        PlayerKey::from_seed(seed),
        ServerKey::from_seed(seed)
    );
    assert!(shown.contains(&HEXLOWER.encode(&PlayerKey::from_seed(seed).player())));
    assert!(!shown.contains("abab") && !shown.contains("171, 171"));
}
