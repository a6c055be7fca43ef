//! Who may do what: users with their passwords and rules.

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

/// Hexadecimal digits that nobody can guess.
///
/// # Errors
/// What the operating system says.
pub fn random_digits(count: usize) -> io::Result<String> {
    let mut bytes = vec![0; count.div_ceil(2)];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let mut text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    text.truncate(count);
    Ok(text)
}

/// The user of a client that has shown no name.
pub const DEFAULT: &str = "default";

/// All users.
#[derive(Debug)]
pub struct Users {
    /// Counts changes, so that clients look again.
    version: AtomicU64,
    all: Mutex<BTreeMap<Arc<str>, Arc<User>>>,
    /// The password of CONFIG SET requirepass.
    password: Mutex<String>,
    /// What was refused.
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

    /// Changes whenever a user does.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The user with a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Arc<User>> {
        self.lock().get(name).cloned()
    }

    /// All of them by name.
    #[must_use]
    pub fn list(&self) -> Vec<Arc<User>> {
        self.lock().values().cloned().collect()
    }

    /// Whether a client that has shown nothing is let in.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.find(DEFAULT).is_some_and(|it| it.is_open())
    }

    /// Changes a user, who is made if there is none. All of the rules, or none of them.
    ///
    /// # Errors
    /// Which rule is wrong, and why.
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

    /// Removes a user. Whether there was one.
    pub fn remove(&self, name: &str) -> bool {
        let was = self.lock().remove(name).is_some();
        self.version.fetch_add(1, Ordering::AcqRel);
        was
    }

    /// See `requirepass`.
    #[must_use]
    pub fn password(&self) -> String {
        let password = self.password.lock();
        password.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// See `requirepass`. Nobody has to know one if it is empty.
    pub fn set_password(&self, password: &str) {
        let with = format!(">{password}");
        let rules: [&[u8]; 2] = match password {
            "" => [b"resetpass", b"nopass"],
            _ => [b"resetpass", with.as_bytes()],
        };
        // These rules are right.
        let _ = self.set(DEFAULT, &rules);
        let mut known = self.password.lock().unwrap_or_else(PoisonError::into_inner);
        password.clone_into(&mut known);
    }
}
