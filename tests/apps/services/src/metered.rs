//! Metrics of this application.
use axum::extract::Path;

otp_bridge_metrics::server! {
    /// Serves them.
    pub Meters
}

/// Counts its requests.
pub async fn greet(Path(guest): Path<String>) -> String {
    metrics::counter!("greetings", "guest" => guest.clone()).increment(1);
    guest
}
