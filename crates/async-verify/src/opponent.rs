//! Async PvP: the opponent's slot must play the opponent's own run, then stand neutral.

use async_core::Input;
use async_replay::Run;

use crate::Evidence;
use crate::finding::{Finding, OPPONENT_DIFFERS, OPPONENT_UNAVAILABLE};

/// Checks the slot of the header's opponent, if it has one. A missing opponent keeps a ranking run
/// pending; a local look goes on without it, since the simulation needs only what was recorded.
pub(crate) fn check(run: &Run, evidence: &Evidence<'_>) -> Result<(), Finding> {
    let Some(named) = run.header.opponent else {
        return Ok(());
    };
    let Some(opponent) = evidence.opponent else {
        if evidence.ranking {
            let msg = format!("the opponent's run {} is not here", named.run);
            return Err(Finding::pending(OPPONENT_UNAVAILABLE, msg));
        }
        return Ok(());
    };
    if opponent.id() != named.run {
        let msg = format!(
            "the run names {} as its opponent, not {}",
            named.run,
            opponent.id()
        );
        return Err(Finding::refused(OPPONENT_DIFFERS, msg));
    }
    let theirs = usize::from(opponent.header.slot);
    for (frame, inputs) in run.inputs.iter().enumerate() {
        let played = inputs
            .get(usize::from(named.slot))
            .copied()
            .unwrap_or_default();
        let recorded = opponent.inputs.frame(frame as u32).get(theirs).copied();
        // A run that is shorter leaves its slot neutral to the end.
        if played != recorded.unwrap_or(Input::default()) {
            let msg = format!(
                "slot {} leaves the opponent's run at frame {frame}",
                named.slot
            );
            return Err(Finding::refused(OPPONENT_DIFFERS, msg));
        }
    }
    Ok(())
}
