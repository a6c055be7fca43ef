//! Access control lists: users with their passwords, and the rules for what they may do.

mod describe;
mod log;
mod selector;
mod user;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use describe::commands_like;
pub use log::{Denial, Log};
pub use selector::{CATEGORIES, Denied, Selector};
pub use user::{User, hash};

/// Returns random hexadecimal digits that cannot be guessed.
///
/// # Errors
/// An error of the operating system.
pub fn random_digits(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count.div_ceil(2)];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(count);
    Ok(text)
}

/// The user of a client that has not logged in.
pub const DEFAULT: &str = "default";

/// The users.
#[derive(Debug)]
pub struct Users {
    /// Number of changes. Clients compare it to notice that their user's rules have changed.
    version: AtomicU64,
    all: Mutex<BTreeMap<Arc<str>, Arc<User>>>,
    /// The password of CONFIG SET requirepass.
    password: Mutex<String>,
    /// The log of refusals.
    pub log: Log,
}

impl Default for Users {
    fn default() -> Self {
        let default = Arc::new(User::unrestricted(DEFAULT));
        Users {
            version: AtomicU64::new(1),
            all: Mutex::new([(Arc::from(DEFAULT), default)].into()),
            password: Mutex::default(),
            log: Log::default(),
        }
    }
}

impl Users {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Arc<str>, Arc<User>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a number that changes with every change of a user.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Returns the user with a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<User>> {
        self.lock().get(name).cloned()
    }

    /// Returns all users, sorted by name.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<User>> {
        self.lock().values().cloned().collect()
    }

    /// Returns whether a client may make requests without logging in.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.find(DEFAULT).is_some_and(|it| it.is_open())
    }

    /// Changes a user, or creates one. Either all rules are applied, or none.
    ///
    /// # Errors
    /// A message about the first wrong rule.
    pub fn set(&self, name: &str, rules: &[&[u8]]) -> Result<(), String> {
        let mut all = self.lock();
        let before = all.get(name).map(|it| User::clone(it));
        let mut user = before.unwrap_or_else(|| User::new(name));
        for rule in user::whole_rules(rules)? {
            user.apply(&rule).map_err(|why| {
                let rule = String::from_utf8_lossy(&rule).into_owned();
                format!("ERR Error in ACL SETUSER modifier '{rule}': {why}")
            })?;
        }
        all.insert(Arc::from(name), Arc::new(user));
        drop(all);
        self.version.fetch_add(1, Ordering::AcqRel);
        Ok(())
    }

    /// Removes a user. Returns whether the user existed.
    pub fn remove(&self, name: &str) -> bool {
        let was = self.lock().remove(name).is_some();
        self.version.fetch_add(1, Ordering::AcqRel);
        was
    }

    /// Returns the password of `requirepass`.
    #[must_use]
    pub fn password(&self) -> String {
        let password = self.password.lock();
        password.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets the password of `requirepass`. If it is empty, clients need no password.
    pub fn set_password(&self, password: &str) {
        let with = format!(">{password}");
        let rules: [&[u8]; 2] = match password {
            "" => [b"resetpass", b"nopass"],
            _ => [b"resetpass", with.as_bytes()],
        };
        // These rules are valid, so this cannot fail.
        let _ = self.set(DEFAULT, &rules);
        let mut known = self.password.lock().unwrap_or_else(PoisonError::into_inner);
        password.clone_into(&mut known);
    }
}
