use super::*;

const A: RunId = RunId([1; 16]);
const B: RunId = RunId([2; 16]);

fn open(journal: Option<&[u8]>) -> Outbox {
    let mut outbox = Outbox::new(true);
    assert_eq!(
        outbox.disk_command(0),
        Some(Command::Load {
            key: "outbox".into()
        })
    );
    let mut number = 100;
    outbox.loaded(journal, || {
        number += 1;
        number
    });
    outbox
}

fn sent(outbox: &mut Outbox, now_ms: u64) -> Option<RunId> {
    match outbox.errand(now_ms)? {
        Errand::Send { run, .. } => Some(run),
        Errand::Ask { run } => panic!("asked about {run}"),
    }
}

#[test]
fn nothing_is_sent_before_it_is_on_disk() {
    let mut outbox = open(None);
    assert_eq!(outbox.add(A, b"run", 7).unwrap(), 7);
    assert_eq!(
        outbox.add(A, b"run", 8).unwrap(),
        7,
        "the same run waits once"
    );
    assert!(outbox.errand(0).is_none());
    assert!(matches!(
        outbox.disk_command(0),
        Some(Command::Append { .. })
    ));
    assert!(outbox.errand(0).is_none());
    assert_eq!(outbox.stored(), vec![(A, 7)]);
    assert_eq!(sent(&mut outbox, 0), Some(A));
    assert!(outbox.errand(0).is_none(), "one at a time");
}

#[test]
fn the_oldest_goes_first_and_a_restart_keeps_the_order() {
    let mut journal = Vec::new();
    journal::write_added(&mut journal, B, b"older");
    let mut outbox = open(Some(&journal));
    outbox.add(A, b"newer", 1).unwrap();
    outbox.disk_command(0);
    outbox.stored();
    assert_eq!(sent(&mut outbox, 0), Some(B));
    assert_eq!(
        outbox.answered(B, Fate::Done, 0, &mut Entropy::new([0; 32])),
        None
    );
    assert_eq!(sent(&mut outbox, 0), Some(A));
}

#[test]
fn what_is_done_leaves_the_disk() {
    let mut outbox = open(None);
    outbox.add(A, b"run", 1).unwrap();
    outbox.disk_command(0);
    outbox.stored();
    sent(&mut outbox, 0);
    outbox.answered(A, Fate::Done, 0, &mut Entropy::new([0; 32]));
    assert_eq!(
        outbox.disk_command(0),
        Some(Command::Erase {
            key: "outbox".into()
        })
    );
}

#[test]
fn a_failed_write_gives_the_run_back_and_the_next_write_starts_afresh() {
    let mut outbox = open(None);
    outbox.add(A, b"run", 1).unwrap();
    outbox.disk_command(0);
    assert_eq!(outbox.store_failed(0), vec![(A, 1)]);
    assert!(outbox.errand(0).is_none());
    outbox.add(B, b"run", 2).unwrap();
    assert_eq!(outbox.disk_command(0), None, "not at once");
    assert!(matches!(
        outbox.disk_command(DISK_RETRY_MS),
        Some(Command::Store { .. })
    ));
}

#[test]
fn a_busy_server_quiets_all_and_a_misfit_only_itself() {
    let mut entropy = Entropy::new([0; 32]);
    let mut journal = Vec::new();
    journal::write_added(&mut journal, A, b"a");
    journal::write_added(&mut journal, B, b"b");
    let mut outbox = open(Some(&journal));
    assert_eq!(sent(&mut outbox, 0), Some(A));
    let asked = Fate::RetryAll {
        after_ms: Some(9_000),
        answered: true,
    };
    assert_eq!(outbox.answered(A, asked, 0, &mut entropy), Some(9_000));
    assert_eq!(sent(&mut outbox, 8_999), None);
    assert_eq!(sent(&mut outbox, 9_000), Some(A));
    outbox.answered(A, Fate::RetryThis { after_ms: None }, 9_000, &mut entropy);
    assert_eq!(sent(&mut outbox, 9_000), Some(B));
}

#[test]
fn a_pending_run_is_asked_about_and_not_sent_again() {
    let mut entropy = Entropy::new([0; 32]);
    let mut journal = Vec::new();
    journal::write_added(&mut journal, A, b"a");
    let mut outbox = open(Some(&journal));
    sent(&mut outbox, 0);
    outbox.answered(A, Fate::Pending, 0, &mut entropy);
    assert!(outbox.errand(0).is_none());
    assert!(matches!(
        outbox.errand(ASK_AGAIN_MS),
        Some(Errand::Ask { run: A })
    ));
}

#[test]
fn a_run_that_a_server_fails_on_does_not_block_those_behind_it() {
    let mut entropy = Entropy::new([0; 32]);
    let mut journal = Vec::new();
    journal::write_added(&mut journal, A, b"a");
    journal::write_added(&mut journal, B, b"b");
    let mut outbox = open(Some(&journal));
    let mut now_ms = 0;
    let mut tried = |run, answered| {
        assert_eq!(sent(&mut outbox, now_ms), Some(run));
        let fate = Fate::RetryAll {
            after_ms: None,
            answered,
        };
        now_ms += outbox.answered(run, fate, now_ms, &mut entropy).unwrap();
    };
    // Without a network nothing is learnt about the run: the oldest stays first.
    (0..20).for_each(|_| tried(A, false));
    (0..PATIENCE).for_each(|_| tried(A, true));
    (0..PATIENCE).for_each(|_| tried(B, true));
    tried(A, true);
}

#[test]
fn the_journal_stays_small_enough_to_be_read_back() {
    let mut entropy = Entropy::new([0; 32]);
    let mut outbox = open(None);
    // One run that nobody takes keeps the journal from ever being erased.
    outbox.add(RunId([255; 16]), b"stuck", 0).unwrap();
    let (bytes, mut size) = (vec![7; 1 << 20], 0);
    for number in 0..100_u8 {
        let id = RunId([number; 16]);
        outbox.add(id, &bytes, 0).unwrap();
        match outbox.disk_command(0) {
            Some(Command::Append { bytes, .. }) => size += bytes.len(),
            Some(Command::Store { bytes, .. }) => size = bytes.len(),
            other => panic!("{other:?}"),
        }
        outbox.stored();
        assert!(size < ANSWER_BYTES_MAX, "{size} bytes after {number} runs");
        outbox.answered(id, Fate::Done, 0, &mut entropy);
    }
    let most = vec![0; BYTES_MAX];
    assert_eq!(outbox.add(A, &most, 0).unwrap_err().code(), "outbox_full");
}

#[test]
fn it_is_bounded() {
    let mut outbox = open(None);
    for number in 0..OUTBOX_RUNS_MAX {
        let id = RunId([u8::try_from(number).unwrap(); 16]);
        outbox.add(id, b"", 0).unwrap();
    }
    assert_eq!(
        outbox.add(RunId([255; 16]), b"", 0).unwrap_err().code(),
        "outbox_full"
    );
}
