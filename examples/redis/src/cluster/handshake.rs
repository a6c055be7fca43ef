//! The handshake of CLUSTER MEET, in which a node finds out the name of the Erlang node behind an
//! address.
//!
//! ```text
//! asks                                              answers
//! CLUSTER HANDSHAKE ──────────────────────────────>
//!                     <──────────────────────────── +CHALLENGE
//! CLUSTER HANDSHAKE ITS_OWN_CHALLENGE PROOF ──────> checks the proof
//!                     <──────────────────────────── +NODE PROOF
//! checks that proof, and connects to NODE by Erlang's distribution
//! ```
//!
//! A proof is an HMAC-SHA-256 of both challenges under Erlang's cookie, in hexadecimal digits; the
//! second proof also covers the node's name. The asking node has to prove first that it knows the
//! cookie, as in Erlang's own handshake. So a stranger gets no data to test guesses of the cookie
//! against, and a name that a stranger sends never becomes an atom.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Erlang's cookie. Nodes can connect if their cookies are equal.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Cookie(Vec<u8>);

/// Hides the cookie, which is a secret.
impl std::fmt::Debug for Cookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cookie")
    }
}

/// Time limit for each step of the other node.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum length of an answer in bytes.
const LONGEST: u64 = 1024;
/// Number of digits of a challenge.
const CHALLENGE: usize = 32;

/// Creates an unpredictable challenge.
///
/// # Errors
/// An error of the operating system.
pub fn challenge() -> io::Result<String> {
    crate::acl::random_digits(CHALLENGE)
}

impl Cookie {
    /// Creates a cookie from its text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Cookie(text.as_bytes().to_vec())
    }

    /// Computes a proof. `purpose` is the role of the node that makes it, so that a proof cannot be
    /// reused in the other role.
    fn proof(&self, purpose: &str, parts: &[&str]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("a key may have any length")
        };
        mac.update(purpose.as_bytes());
        for part in parts {
            // This byte separates the parts, because it occurs in none of them.
            mac.update(&[0]);
            mac.update(part.as_bytes());
        }
        let bytes = mac.finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn question(&self, given: &str, own: &str) -> String {
        self.proof("asks", &[given, own])
    }

    /// Returns the answer, if the asking node's proof is correct.
    #[must_use]
    pub fn answer(&self, given: &str, its_own: &str, proof: &str, node: &str) -> Option<String> {
        let is_right = is_same(&self.question(given, its_own), proof);
        is_right.then(|| format!("{node} {}", self.proof("answers", &[given, its_own, node])))
    }

    /// Returns the name of the node behind a port of 127.0.0.1.
    ///
    /// # Errors
    /// The reason why the name could not be found out.
    pub fn ask(&self, port: u16) -> Result<String, String> {
        let mut other = Other::connect(port).map_err(|error| error.to_string())?;
        let given = other.ask("CLUSTER HANDSHAKE")?;
        let own = challenge().map_err(|error| error.to_string())?;
        let proof = self.question(&given, &own);
        let answer = other.ask(&format!("CLUSTER HANDSHAKE {own} {proof}"))?;
        let (node, proof) = answer.split_once(' ').unwrap_or((&answer, ""));
        match is_same(&self.proof("answers", &[&given, &own, node]), proof) {
            true => Ok(node.to_owned()),
            false => Err("it does not show that it knows the cookie".to_owned()),
        }
    }
}

/// Compares two texts in a time that does not depend on where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |differs, (one, other)| differs | one ^ other) == 0
}

/// The connection to the other node.
struct Other(BufReader<TcpStream>);

impl Other {
    fn connect(port: u16) -> io::Result<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Other(BufReader::new(stream)))
    }

    fn ask(&mut self, line: &str) -> Result<String, String> {
        let sent = self.0.get_mut().write_all(format!("{line}\r\n").as_bytes());
        sent.map_err(|error| error.to_string())?;
        let mut answer = Vec::new();
        let mut rest = Read::take(&mut self.0, LONGEST);
        let read = rest.read_until(b'\n', &mut answer);
        read.map_err(|error| error.to_string())?;
        let answer = String::from_utf8_lossy(&answer).trim_end().to_owned();
        match answer.strip_prefix('+') {
            Some(text) => Ok(text.to_owned()),
            None => Err(format!("it answers {answer:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_cookie_is_answered() {
        let (right, wrong) = (Cookie::new("right"), Cookie::new("wrong"));
        let proof = right.question("given", "own");
        let answer = right.answer("given", "own", &proof, "a@b");
        assert!(answer.is_some_and(|it| it.starts_with("a@b ")));
        for (given, own, proof) in [
            ("given", "own", wrong.question("given", "own")),
            ("given", "own", right.question("", "givenown")),
            ("other", "own", proof.clone()),
            ("given", "other", proof),
            ("given", "own", right.proof("answers", &["given", "own"])),
            ("given", "own", String::new()),
        ] {
            assert_eq!(right.answer(given, own, &proof, "a@b"), None, "{proof}");
        }
        assert_eq!(format!("{right:?}"), "Cookie");
    }
}
