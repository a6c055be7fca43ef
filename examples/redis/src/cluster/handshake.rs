//! How a node finds the Erlang node behind an address: CLUSTER MEET.
//!
//! ```text
//! asks                                              answers
//! CLUSTER HANDSHAKE ──────────────────────────────>
//!                     <──────────────────────────── +CHALLENGE
//! CLUSTER HANDSHAKE ITS_OWN_CHALLENGE PROOF ──────> looks whether the proof is right
//!                     <──────────────────────────── +NODE PROOF
//! looks whether that is right, and connects to NODE by Erlang's distribution
//! ```
//!
//! A proof is an HMAC-SHA-256 of both challenges under Erlang's cookie, in hexadecimal digits; the
//! second one is of the node's name, too. Who asks shows first that it knows the cookie, as with
//! Erlang's own handshake. So a stranger learns nothing that he could try cookies against, and no
//! name that he says becomes an atom.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Two nodes that have the same one may connect.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Cookie(Vec<u8>);

/// It is a secret.
impl std::fmt::Debug for Cookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cookie")
    }
}

/// How long the other side may take for each step.
const PATIENCE: Duration = Duration::from_secs(2);
/// So many bytes of an answer are read.
const LONGEST: u64 = 1024;
/// Digits of a challenge.
const CHALLENGE: usize = 32;

/// What nobody knows before.
///
/// # Errors
/// What the operating system says.
pub fn challenge() -> io::Result<String> {
    crate::acl::random_digits(CHALLENGE)
}

impl Cookie {
    /// The one with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Cookie(text.as_bytes().to_vec())
    }

    /// `purpose`: who makes it. One of them is of no use for the other.
    fn proof(&self, purpose: &str, parts: &[&str]) -> String {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("a key may have any length")
        };
        mac.update(purpose.as_bytes());
        for part in parts {
            // None of them has this byte.
            mac.update(&[0]);
            mac.update(part.as_bytes());
        }
        let bytes = mac.finalize().into_bytes();
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn question(&self, given: &str, own: &str) -> String {
        self.proof("asks", &[given, own])
    }

    /// What is answered, if the proof of who asks is right.
    #[must_use]
    pub fn answer(&self, given: &str, its_own: &str, proof: &str, node: &str) -> Option<String> {
        let is_right = is_same(&self.question(given, its_own), proof);
        is_right.then(|| format!("{node} {}", self.proof("answers", &[given, its_own, node])))
    }

    /// The name of the node behind a port of 127.0.0.1.
    ///
    /// # Errors
    /// Why it is not known.
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

/// How long it takes does not say where they differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |differs, (one, other)| differs | one ^ other) == 0
}

/// The other side.
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
