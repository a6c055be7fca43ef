//! The store: a `gen_server` whose state is the keys and values of all clients.

use std::collections::BTreeMap;

use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;

/// The registered store.
pub static STORE: Server<Store> = Server::registered();

/// The server's state.
#[derive(Debug, Term)]
pub struct Store {
    values: BTreeMap<String, String>,
}

/// `{set, Key, Value}`
#[derive(Debug, Term)]
#[reply(ok)]
pub struct Set(pub String, pub String);

/// `{get, Key}`: returns the value, or `undefined`.
#[derive(Debug, Term)]
#[reply(Option<String>)]
pub struct Get(pub String);

#[gen_server]
impl GenServer for Store {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        let values = BTreeMap::new();
        (ok, Store { values })
    }

    fn handle_call(&mut self, Set(key, value): Set) -> HandleCall<ok> {
        self.values.insert(key, value);
        reply(ok)
    }

    fn handle_call(&mut self, Get(key): Get) -> HandleCall<Option<String>> {
        reply(self.values.get(&key).cloned())
    }
}

#[cfg(test)]
mod tests {
    use otp_bridge::testing;

    use super::*;

    #[test]
    fn a_key_has_its_last_value() -> Result<()> {
        let mut store = testing::Server::<Store>::start(())?;
        assert_eq!(store.call(Get("colour".to_owned()))?, None);
        for value in ["blue", "green"] {
            store.call(Set("colour".to_owned(), value.to_owned()))?;
        }
        assert_eq!(
            store.call(Get("colour".to_owned()))?.as_deref(),
            Some("green")
        );
        Ok(())
    }
}
