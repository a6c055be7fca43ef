//! The address of a server, and its limits.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use otp_bridge::Term;

/// The address of a server, and its limits: the argument of its process.
///
/// ```
/// # use otp_bridge_novm as _;
/// # use std::time::Duration;
/// use otp_bridge_axum::Listen;
///
/// let listen = Listen::port(8080).requests(200).body(64 << 10).drain(Duration::from_secs(10));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Term)]
pub struct Listen {
    pub(crate) address: String,
    pub(crate) port: u16,
    /// Further host names that requests may be for, beside the machine's own. They apply only to a
    /// loopback address.
    pub(crate) hosts: Vec<String>,
    /// Whether the address is printed when the server listens.
    pub(crate) is_announced: bool,
    pub(crate) connections: u64,
    pub(crate) connections_of_address: u64,
    pub(crate) requests: u64,
    pub(crate) body: u64,
    /// Milliseconds.
    pub(crate) patience: u64,
    /// Milliseconds.
    pub(crate) drain: u64,
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Listen {
    /// Listens at a port of 127.0.0.1. 0 means any free port; a server that is restarted gets the
    /// same one.
    #[must_use]
    pub fn port(port: u16) -> Self {
        Self::at((Ipv4Addr::LOCALHOST, port))
    }

    /// Listens at an address, such as `([0, 0, 0, 0], 8080)` for all interfaces.
    ///
    /// At a loopback address the server refuses requests for other hosts, and those that a browser
    /// sends for another site. At any other address it accepts all requests: a proxy or your own
    /// layer has to decide.
    #[must_use]
    pub fn at(address: impl Into<SocketAddr>) -> Self {
        let address = address.into();
        Listen {
            address: address.ip().to_string(),
            port: address.port(),
            hosts: Vec::new(),
            is_announced: false,
            connections: 4_096,
            connections_of_address: 2_048,
            requests: 1_024,
            body: 2 << 20,
            patience: 15_000,
            drain: 3_000,
        }
    }

    /// Allows requests for one more host name, at a loopback address: the name in the requests of a
    /// proxy.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into());
        self
    }

    /// Prints the address, `http://127.0.0.1:8080`, on a line of standard output when the server
    /// listens.
    #[must_use]
    pub fn announced(mut self) -> Self {
        self.is_announced = true;
        self
    }

    /// Sets the largest number of connections (4,096). To accept one more, the server closes the
    /// one that has been idle longest.
    #[must_use]
    pub fn connections(mut self, count: u32) -> Self {
        self.connections = count.into();
        self
    }

    /// Sets the largest number of connections from one address (2,048). A browser has six, and a
    /// proxy one for each visitor. The addresses of an IPv6 network of 64 bits count as one.
    #[must_use]
    pub fn connections_of_address(mut self, count: u32) -> Self {
        self.connections_of_address = count.into();
        self
    }

    /// Sets the largest number of outstanding requests (1,024). The server answers further ones
    /// with 503 and `retry-after`. A stream of events (`text/event-stream`) does not count: its
    /// connection is idle.
    #[must_use]
    pub fn requests(mut self, count: u32) -> Self {
        self.requests = count.into();
        self
    }

    /// Sets the largest size of a request's body in bytes (2 MiB). The reply to a longer one is a
    /// 413. For a smaller limit of a route, use axum's `DefaultBodyLimit`.
    #[must_use]
    pub fn body(mut self, bytes: u64) -> Self {
        self.body = bytes;
        self
    }

    /// Sets how long a client may take for the head of a request, for each piece of its body, for
    /// the next request, and for reading the reply (15 s).
    #[must_use]
    pub fn patience(mut self, time: Duration) -> Self {
        self.patience = milliseconds(time);
        self
    }

    /// Sets how long outstanding requests may take to end at a stop and at an upgrade (3 s).
    #[must_use]
    pub fn drain(mut self, time: Duration) -> Self {
        self.drain = milliseconds(time);
        self
    }

    /// Returns the time that the process gets for its shutdown.
    #[doc(hidden)]
    #[must_use]
    pub fn shutdown(&self) -> Duration {
        Duration::from_millis(self.drain) + Duration::from_secs(5)
    }

    pub(crate) fn ip(&self) -> Option<IpAddr> {
        self.address.parse().ok()
    }

    pub(crate) fn patience_time(&self) -> Duration {
        Duration::from_millis(self.patience)
    }
}

impl From<u16> for Listen {
    fn from(port: u16) -> Self {
        Listen::port(port)
    }
}

impl From<SocketAddr> for Listen {
    fn from(address: SocketAddr) -> Self {
        Listen::at(address)
    }
}
