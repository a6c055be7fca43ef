//! Tokens against forms of other sites: each form has the token that the browser's cookie has.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderValue, header};

/// The cookie's name. A page of another site can have it sent, but can neither read nor set it.
const COOKIE: &str = "board";

/// Gives tokens.
pub(super) struct Tokens {
    /// Keys of SipHash that the operating system has given.
    keys: [RandomState; 2],
    given: AtomicU64,
}

impl Tokens {
    pub(super) fn new() -> Self {
        Tokens {
            keys: [RandomState::new(), RandomState::new()],
            given: AtomicU64::new(0),
        }
    }

    /// The token of the browser, and the cookie that it gets if it has none.
    pub(super) fn of(&self, headers: &HeaderMap) -> (String, Option<HeaderValue>) {
        if let Some(token) = cookie(headers) {
            return (token.to_owned(), None);
        }
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        let [high, low] = [0, 1].map(|half| self.keys[half].hash_one(number));
        let token = format!("{high:016x}{low:016x}");
        let cookie =
            format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
        (token, HeaderValue::try_from(cookie).ok())
    }
}

/// Whether a form is of a page that this browser was given.
pub(super) fn is_own(headers: &HeaderMap, token: Option<&str>) -> bool {
    let (Some(cookie), Some(token)) = (cookie(headers), token) else {
        return false;
    };
    // In the same time, wherever they differ.
    let differing = cookie
        .bytes()
        .zip(token.bytes())
        .fold(0, |all, (one, other)| all | (one ^ other));
    cookie.len() == token.len() && differing == 0
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).into_iter();
    let mut pairs = cookies
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(';'));
    let own = |pair: &str| -> Option<usize> {
        let token = pair.trim().strip_prefix(COOKIE)?.strip_prefix('=')?;
        let is_token = token.len() == 32 && token.bytes().all(|it| it.is_ascii_hexdigit());
        is_token.then_some(token.len())
    };
    pairs.find_map(|pair| own(pair).map(|length| &pair.trim()[pair.trim().len() - length..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(cookie: &str) -> HeaderMap {
        let value = HeaderValue::try_from(cookie).expect("a header");
        HeaderMap::from_iter([(header::COOKIE, value)])
    }

    #[test]
    fn a_form_needs_the_token_of_the_cookie() {
        let tokens = Tokens::new();
        let (token, cookie) = tokens.of(&HeaderMap::new());
        assert!(cookie.is_some_and(|it| it.to_str().is_ok_and(|it| it.contains(&token))));
        assert_ne!(tokens.of(&HeaderMap::new()).0, token);
        let known = headers(&format!("a=b; board={token}"));
        assert_eq!(tokens.of(&known), (token.clone(), None));
        assert!(is_own(&known, Some(&token)));
        assert!(!is_own(&known, Some("")) && !is_own(&known, None));
        assert!(!is_own(&known, Some(&tokens.of(&HeaderMap::new()).0)));
        assert!(!is_own(&HeaderMap::new(), Some(&token)));
        assert!(
            !is_own(&headers("board="), Some("")),
            "an empty one is not a token"
        );
    }
}
