//! Protection against forms on other sites (CSRF): each form contains the token that the browser
//! also has as a cookie.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};

/// Name of the cookie. A page of another site can make the browser send it, but can neither read
/// nor set it.
const COOKIE: &str = "board";

/// 32 secret, random digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token([u8; Token::LENGTH]);

impl Token {
    pub(super) const LENGTH: usize = 32;

    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let digits: [u8; Token::LENGTH] = text.try_into().ok()?;
        let is_token = digits.iter().all(u8::is_ascii_hexdigit);
        is_token.then_some(Token(digits))
    }

    fn new(numbers: [u64; 2]) -> Self {
        let mut token = [0; Token::LENGTH];
        for (number, half) in numbers.into_iter().zip(token.chunks_exact_mut(16)) {
            half.copy_from_slice(&digits(number));
        }
        Token(token)
    }

    pub(super) fn text(&self) -> &[u8; Token::LENGTH] {
        &self.0
    }
}

/// Writes a number as sixteen digits, the last ones first.
pub(super) fn digits(number: u64) -> [u8; 16] {
    std::array::from_fn(|place| b"0123456789abcdef"[(number >> (4 * place) & 15) as usize])
}

/// Creates and checks tokens.
pub(super) struct Tokens {
    /// Random keys of SipHash.
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

    /// Returns the browser's token. If the browser has none, returns a new one and the cookie to
    /// set.
    pub(super) fn of(&self, headers: &HeaderMap) -> (Token, Option<HeaderValue>) {
        if let Some(token) = cookie(headers) {
            return (token, None);
        }
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        let token = Token::new([0, 1].map(|half| self.keys[half].hash_one(number)));
        let ends = b"; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000";
        let cookie = [COOKIE.as_bytes(), b"=", token.text(), ends].concat();
        (
            token,
            HeaderValue::from_maybe_shared(Bytes::from(cookie)).ok(),
        )
    }
}

/// Returns whether a form comes from a page that this browser was given.
pub(super) fn is_own(headers: &HeaderMap, token: Option<&str>) -> bool {
    let token = token.and_then(|token| Token::read(token.as_bytes()));
    let (Some(cookie), Some(token)) = (cookie(headers), token) else {
        return false;
    };
    // The comparison takes the same time wherever the tokens differ.
    let pairs = cookie.0.iter().zip(&token.0);
    pairs.fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

fn cookie(headers: &HeaderMap) -> Option<Token> {
    let cookies = headers.get_all(header::COOKIE).into_iter();
    let mut pairs = cookies.flat_map(|it| it.as_bytes().split(|byte| *byte == b';'));
    pairs.find_map(|pair| {
        let value = pair.trim_ascii().strip_prefix(COOKIE.as_bytes())?;
        Token::read(value.strip_prefix(b"=")?)
    })
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
        let text = |token: Token| String::from_utf8_lossy(token.text()).into_owned();
        let (token, cookie) = tokens.of(&HeaderMap::new());
        let written = text(token);
        assert!(cookie.is_some_and(|it| it.to_str().is_ok_and(|it| it.contains(&written))));
        assert_ne!(tokens.of(&HeaderMap::new()).0, token);
        let known = headers(&format!("a=b; board={written}"));
        assert_eq!(tokens.of(&known), (token, None));
        assert!(is_own(&known, Some(&written)));
        assert!(!is_own(&known, Some("")) && !is_own(&known, None));
        let other = text(tokens.of(&HeaderMap::new()).0);
        assert!(!is_own(&known, Some(&other)));
        assert!(!is_own(&HeaderMap::new(), Some(&written)));
        assert!(
            !is_own(&headers("board="), Some("")),
            "an empty one is not a token"
        );
    }
}
