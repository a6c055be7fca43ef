//! A user: name, passwords, and selectors.

use std::fmt::Write as _;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::selector::{Denied, Selector};
use crate::commands::Fact;

/// A user.
#[derive(Debug, Clone)]
pub struct User {
    /// The user's name.
    pub name: Arc<str>,
    /// Whether clients can log in as this user.
    pub is_on: bool,
    /// Whether clients can log in without a password.
    pub needs_none: bool,
    /// The hashes of the passwords.
    pub passwords: Vec<String>,
    /// The user's root selector.
    pub root: Selector,
    /// Further selectors. Each one allows more.
    pub more: Vec<Selector>,
}

/// Returns the hash of a password, which is stored instead of the password.
#[must_use]
pub fn hash(password: &[u8]) -> String {
    let mut text = String::new();
    for byte in Sha256::digest(password) {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Joins the words of each selector in brackets to one rule.
pub(super) fn whole_rules(rules: &[&[u8]]) -> Result<Vec<Vec<u8>>, String> {
    let mut whole: Vec<Vec<u8>> = Vec::new();
    let mut open: Option<Vec<u8>> = None;
    for rule in rules {
        let text = match open.take() {
            Some(before) => [before.as_slice(), b" ", rule].concat(),
            None => rule.to_vec(),
        };
        match text.starts_with(b"(") && !text.ends_with(b")") {
            true => open = Some(text),
            false => whole.push(text),
        }
    }
    match open {
        None => Ok(whole),
        Some(text) => {
            let text = String::from_utf8_lossy(&text).into_owned();
            Err(format!(
                "ERR Unmatched parenthesis in acl selector starting at '{text}'."
            ))
        }
    }
}

impl User {
    /// Creates a user who may do nothing.
    #[must_use]
    pub fn new(name: &str) -> Self {
        User {
            name: name.into(),
            is_on: false,
            needs_none: false,
            passwords: Vec::new(),
            root: Selector::default(),
            more: Vec::new(),
        }
    }

    /// Creates a user who may do everything.
    #[must_use]
    pub fn unrestricted(name: &str) -> Self {
        let mut user = User::new(name);
        for rule in ["on", "nopass", "~*", "&*", "+@all"] {
            // These rules are valid, so this cannot fail.
            let _ = user.apply(rule.as_bytes());
        }
        user
    }

    /// Returns whether a client can be this user without a password.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_on && self.needs_none
    }

    /// Returns whether the user may do everything.
    #[must_use]
    pub fn may_all(&self) -> bool {
        self.root.may_all()
    }

    /// Returns whether a password is correct.
    #[must_use]
    pub fn admits(&self, password: &[u8]) -> bool {
        self.is_on && (self.needs_none || self.passwords.contains(&hash(password)))
    }

    /// Applies a rule of ACL SETUSER.
    ///
    /// # Errors
    /// A message about the mistake in the rule.
    pub fn apply(&mut self, rule: &[u8]) -> Result<(), &'static str> {
        let is_hash = |it: &[u8]| {
            let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            it.len() == 64 && it.iter().all(is_digit)
        };
        const NOT_A_HASH: &str = "The password hash must be exactly 64 characters and contain only lowercase hexadecimal characters";
        match rule.to_ascii_lowercase().as_slice() {
            b"on" => self.is_on = true,
            b"off" => self.is_on = false,
            b"nopass" => {
                self.needs_none = true;
                self.passwords.clear();
            }
            b"resetpass" => {
                self.needs_none = false;
                self.passwords.clear();
            }
            b"reset" => *self = User::new(&self.name),
            b"clearselectors" => self.more.clear(),
            b"sanitize-payload" | b"skip-sanitize-payload" => {
                // This server always checks payloads, so the rule changes nothing.
            }
            _ => match rule.split_first() {
                Some((b'>', password)) => self.add_password(hash(password)),
                Some((b'#', text)) if is_hash(text) => {
                    self.add_password(String::from_utf8_lossy(text).into_owned());
                }
                Some((b'#' | b'!', text)) if !is_hash(text) => return Err(NOT_A_HASH),
                Some((b'<', password)) => self.remove_password(&hash(password))?,
                Some((b'!', text)) => self.remove_password(&String::from_utf8_lossy(text))?,
                Some((b'(', _)) => {
                    let inner = &rule[1..rule.len().saturating_sub(1).max(1)];
                    let mut selector = Selector::default();
                    let words = inner.split(|byte| *byte == b' ');
                    for word in words.filter(|word| !word.is_empty()) {
                        selector.apply(word)?;
                    }
                    self.more.push(selector);
                }
                _ => self.root.apply(rule)?,
            },
        }
        Ok(())
    }

    fn add_password(&mut self, hash: String) {
        self.needs_none = false;
        if !self.passwords.contains(&hash) {
            self.passwords.push(hash);
        }
    }

    fn remove_password(&mut self, hash: &str) -> Result<(), &'static str> {
        let before = self.passwords.len();
        self.passwords.retain(|it| it != hash);
        match self.passwords.len() < before {
            true => Ok(()),
            false => Err("The password you are trying to remove from the user does not exist"),
        }
    }

    /// Checks that the user may make a request. `at` is the command's index in the table of
    /// commands.
    ///
    /// # Errors
    /// The part of the request that is not allowed.
    pub fn may(&self, at: usize, fact: &'static Fact, words: &[&[u8]]) -> Result<(), Denied> {
        let mut worst = Denied::Command;
        for selector in [&self.root].into_iter().chain(&self.more) {
            match selector.may(at, fact, words) {
                Ok(()) => return Ok(()),
                Err(why) => worst = worst.max(why),
            }
        }
        Err(worst)
    }
}
