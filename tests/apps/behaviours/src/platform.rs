//! A server with clauses and terms that exist only on some platforms.
use otp_bridge::gen_server::prelude::*;

/// The present count.
#[derive(Debug)]
pub struct Platform(u64);

/// Requests and casts. `gone` and `missing` never exist.
#[derive(Debug, Term)]
#[reply(u64)]
pub enum Ask {
    /// `count`: returns the count.
    Count,
    /// `{add, Number}`
    Add(#[cfg(any())] Missing, u64),
    /// `gone`
    #[cfg(any())]
    Gone(Missing),
    /// `{more, Number}`
    #[cfg_attr(all(), term(tag = "more"))]
    Often(u64),
}

/// A map whose only key exists on this platform.
#[derive(Debug, Term)]
pub struct Count {
    #[cfg(any())]
    missing: Missing,
    #[cfg(unix)]
    count: u64,
}

/// `double`: returns twice the count, computed on a dirty scheduler.
#[derive(Debug, Term)]
#[reply(u64)]
pub struct Double;

#[gen_server]
impl GenServer for Platform {
    #[cfg(any())]
    type Args = Missing;
    #[cfg(not(any()))]
    type Args = u64;

    fn init(count: u64) -> Init<Self> {
        Init::Ok(Platform(count))
    }

    #[cfg(any())]
    fn handle_call(&mut self, ask: Missing) -> HandleCall<Missing> {
        reply(ask)
    }

    fn handle_call(&mut self, ask: Ask, #[cfg(any())] missing: Missing) -> HandleCall<u64> {
        self.0 += match ask {
            Ask::Count => 0,
            Ask::Add(by) => by,
            #[cfg(any())]
            Ask::Gone(_) => 0,
            Ask::Often(by) => by * 10,
        };
        reply(self.0)
    }

    #[cfg_attr(all(), dirty(cpu))]
    fn handle_call(&self, _: Double) -> HandleCall<u64> {
        reply(self.0 * 2)
    }

    // The only clause of two for this message that exists.
    #[cfg(unix)]
    #[cfg(not(any()))]
    fn handle_cast(&mut self, Count { count }: Count) -> HandleCast {
        self.0 = count;
        noreply()
    }

    #[cfg(unix)]
    #[cfg_attr(all(), cfg(any()))]
    fn handle_cast(&mut self, Count { count }: Count) -> HandleCast {
        self.0 = count + 1;
        noreply()
    }

    // The clause does not exist, so the module does not export the function.
    #[cfg(any())]
    fn handle_continue(&mut self, _: Term) -> HandleContinue {
        noreply()
    }
}
