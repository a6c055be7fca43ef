//! Who may ask: this page, in a browser on this machine.
//!
//! A page of another site can send requests here, and a name of its own can lead to this machine. A
//! browser says whom a request is for and which site it is from.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names that this machine has for itself. The page is nowhere else.
const OWN: [&str; 2] = ["127.0.0.1", "localhost"];

/// Refuses a request that is for another host or from another site.
pub(super) async fn own_page_only(request: Request, next: Next) -> Response {
    match is_own(request.headers()) {
        true => next.run(request).await,
        false => (StatusCode::FORBIDDEN, "this page is at 127.0.0.1").into_response(),
    }
}

fn is_own(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).map(|it| it.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    let is_same = |origin: &str| origin.strip_prefix("http://") == Some(host);
    let site = headers.get("sec-fetch-site").map(|it| it.as_bytes());
    OWN.contains(&name)
        && text(header::ORIGIN).is_none_or(is_same)
        && site.is_none_or(|it| [&b"same-origin"[..], b"none"].contains(&it))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn is_served(headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter();
        let headers = headers.map(|(name, value)| {
            let name = header::HeaderName::from_static(name);
            (name, HeaderValue::from_static(value))
        });
        is_own(&headers.collect())
    }

    #[test]
    fn only_the_page_itself_is_served() {
        let host = ("host", "127.0.0.1:8036");
        for own in [
            &[host][..],
            &[("host", "localhost:8036")],
            &[host, ("origin", "http://127.0.0.1:8036")],
            &[host, ("sec-fetch-site", "same-origin")],
            &[host, ("sec-fetch-site", "none")],
        ] {
            assert!(is_served(own), "{own:?}");
        }
        for foreign in [
            &[][..],
            &[("host", "evil.example:8036")],
            &[("host", "127.0.0.1.evil.example")],
            &[host, ("origin", "http://evil.example")],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://127.0.0.1:9000")],
            &[host, ("sec-fetch-site", "cross-site")],
        ] {
            assert!(!is_served(foreign), "{foreign:?}");
        }
    }
}
