//! The phases of a server.

use tokio::sync::watch;

/// Whether the server serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Serves,
    Stops,
    /// The server hands its socket over to another build.
    HandsOver,
}

/// Waits until the server no longer serves.
pub(crate) async fn stops(phases: &mut watch::Receiver<Phase>) -> Phase {
    let stops = phases.wait_for(|phase| *phase != Phase::Serves).await;
    stops.map_or(Phase::Stops, |phase| *phase)
}
