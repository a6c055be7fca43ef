//! Requests that another site makes a visitor's browser send.
//!
//! A page of another site can send forms here, and its host name can resolve to this machine, so
//! that the browser treats both as one site. The browser sends the host that a request is for and
//! the site that it is from. The host has to be this machine, and the site has to be this one.

use axum::http::{HeaderMap, Method, Request, StatusCode, header};

/// The names that this machine has for itself, if a server listens only there.
const OWN: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Returns why a request is refused, if it is: it is for another host, or from another site.
pub(crate) fn refused<B>(
    request: &Request<B>,
    hosts: &[String],
) -> Option<(StatusCode, &'static str)> {
    let headers = request.headers();
    let in_address = request.uri().host();
    let host = headers.get(header::HOST).map(|it| it.to_str().ok());
    let is_known = |host: &str| {
        let name = name(host);
        OWN.contains(&name) || hosts.iter().any(|it| it.eq_ignore_ascii_case(name))
    };
    let is_unknown = |host: Option<&str>| !host.is_some_and(is_known);
    if host.is_some_and(is_unknown) || in_address.is_some_and(|it| is_unknown(Some(it))) {
        let why = "the request is for another host than this machine";
        return Some((StatusCode::MISDIRECTED_REQUEST, why));
    }
    is_foreign(request.method(), headers)
        .then_some((StatusCode::FORBIDDEN, "the request is from another site"))
}

/// Returns a host without its port, in lower case if it is one of ours.
fn name(host: &str) -> &str {
    let end = host.rfind(':').filter(|at| !host[*at..].contains(']'));
    let name = &host[..end.unwrap_or(host.len())];
    let own = OWN.into_iter().find(|own| own.eq_ignore_ascii_case(name));
    own.unwrap_or(name)
}

/// What a page of another site shows inside of itself. A visitor could be made to click there.
const FRAMES: [&str; 5] = ["iframe", "frame", "embed", "object", "fencedframe"];

/// Returns whether a browser reports that the request is from another site. Following a link from
/// there is allowed, but not into a frame of the other page.
fn is_foreign(method: &Method, headers: &HeaderMap) -> bool {
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    let text = |name: &str| headers.get(name).map(|it| it.to_str().unwrap_or("?"));
    let is_framed = text("sec-fetch-dest").is_some_and(|it| FRAMES.contains(&it));
    let is_opened = is_read && text("sec-fetch-mode") == Some("navigate") && !is_framed;
    if let Some(site) = text("sec-fetch-site")
        && !matches!(site, "same-origin" | "none")
        && !is_opened
    {
        return true;
    }
    let host = text("host").unwrap_or_default();
    text("origin").is_some_and(|origin| {
        let own = origin.strip_prefix("http://");
        !own.is_some_and(|it| it.eq_ignore_ascii_case(host))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(method: &str, headers: &[(&str, &str)]) -> Option<StatusCode> {
        let mut request = Request::builder().method(method).uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).expect("a request");
        refused(&request, &["proxy".to_owned()]).map(|(status, _)| status)
    }

    #[test]
    fn only_hosts_of_this_machine_are_served() {
        for host in [
            "localhost",
            "LOCALHOST:8080",
            "127.0.0.1:1",
            "[::1]:8080",
            "[::1]",
            "Proxy:80",
        ] {
            assert_eq!(status("GET", &[("host", host)]), None, "{host}");
        }
        assert_eq!(status("GET", &[]), None);
        for host in [
            "evil.example",
            "localhost.evil.example:8080",
            "",
            "127.0.0.1.x",
            "localhost:x:y",
        ] {
            let refused = Some(StatusCode::MISDIRECTED_REQUEST);
            assert_eq!(status("GET", &[("host", host)]), refused, "{host}");
        }
    }

    #[test]
    fn other_sites_send_nothing_and_only_link_here() {
        let host = ("host", "localhost:8080");
        let forbidden = Some(StatusCode::FORBIDDEN);
        for method in ["GET", "POST", "PUT", "DELETE"] {
            for origin in ["http://localhost:8080", "http://LOCALHOST:8080"] {
                assert_eq!(status(method, &[host, ("origin", origin)]), None);
            }
            for origin in [
                "null",
                "http://localhost:3000",
                "https://localhost:8080",
                "http://evil.example",
            ] {
                assert_eq!(
                    status(method, &[host, ("origin", origin)]),
                    forbidden,
                    "{origin}"
                );
            }
            for site in ["cross-site", "same-site", "anything"] {
                assert_eq!(status(method, &[host, ("sec-fetch-site", site)]), forbidden);
            }
            for site in ["same-origin", "none"] {
                assert_eq!(status(method, &[host, ("sec-fetch-site", site)]), None);
            }
        }
        let link = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
        ];
        assert_eq!(status("GET", &link), None);
        assert_eq!(status("POST", &link), forbidden, "a form of another site");
        for frame in ["iframe", "frame", "embed", "object"] {
            let framed = [&link[..], &[("sec-fetch-dest", frame)]].concat();
            assert_eq!(status("GET", &framed), forbidden, "{frame}");
        }
        let opened = [&link[..], &[("sec-fetch-dest", "document")]].concat();
        assert_eq!(status("GET", &opened), None);
    }
}
