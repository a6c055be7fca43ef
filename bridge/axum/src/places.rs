//! Limits on the number of connections, in total and for each address. If all places are taken, a
//! new connection replaces the one that has been idle longest.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The places of all connections.
#[derive(Debug, Default)]
pub(crate) struct Places {
    taken: Mutex<HashMap<u64, Arc<Taken>>>,
    /// Numbers connections, and orders the times when they became idle.
    clock: AtomicU64,
    /// The number of requests whose replies are not complete, in all connections.
    requests: AtomicUsize,
}

/// The state of a connection.
#[derive(Debug)]
struct Taken {
    address: IpAddr,
    /// The number of requests whose replies are not complete.
    requests: AtomicUsize,
    /// When it became idle, by the clock of all places.
    idle_since: AtomicU64,
    closes: Notify,
}

/// The place of a connection, which is freed when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    number: u64,
    taken: Arc<Taken>,
}

/// A request that counts as outstanding until this is dropped.
#[derive(Debug)]
pub(crate) struct UnderWay {
    places: Arc<Places>,
    taken: Arc<Taken>,
}

impl Places {
    fn taken(&self) -> MutexGuard<'_, HashMap<u64, Arc<Taken>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a connection. If the address or the server has reached its limit, closes
    /// the connection that has been idle longest, which frees its place soon. Returns `None` if no
    /// connection is idle.
    pub(crate) fn take(
        self: &Arc<Self>,
        address: IpAddr,
        of_address: usize,
        of_all: usize,
    ) -> Option<Place> {
        let address = client(address);
        let mut taken = self.taken();
        let is_own = |it: &Taken| it.address == address;
        if taken.values().filter(|it| is_own(it)).count() >= of_address {
            close_idle(&mut taken, is_own)?;
        } else if taken.len() >= of_all {
            close_idle(&mut taken, |_| true)?;
        }
        let number = self.clock.fetch_add(1, Ordering::Relaxed);
        let place = Arc::new(Taken {
            address,
            requests: AtomicUsize::new(0),
            idle_since: AtomicU64::new(number),
            closes: Notify::new(),
        });
        taken.insert(number, place.clone());
        Some(Place {
            places: self.clone(),
            number,
            taken: place,
        })
    }
}

/// Returns the address that stands for a client when connections are counted. An IPv6 client
/// usually has a whole /64 network, so all addresses of one network count as one.
fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

/// Closes the connection that has been idle longest among those that match.
fn close_idle(taken: &mut HashMap<u64, Arc<Taken>>, is_one: impl Fn(&Taken) -> bool) -> Option<()> {
    let idle = taken
        .iter()
        .filter(|(_, it)| is_one(it) && it.requests.load(Ordering::Relaxed) == 0);
    let longest = idle.min_by_key(|(_, it)| it.idle_since.load(Ordering::Relaxed));
    let number = *longest?.0;
    taken.remove(&number)?.closes.notify_one();
    Some(())
}

impl Place {
    /// Waits until another connection needs the place.
    pub(crate) async fn closes(&self) {
        self.taken.closes.notified().await;
    }

    /// Counts a request. The second value tells whether it exceeds the limit of all requests.
    pub(crate) fn begin(&self, limit: usize) -> (UnderWay, bool) {
        self.taken.requests.fetch_add(1, Ordering::Relaxed);
        let others = self.places.requests.fetch_add(1, Ordering::Relaxed);
        let under_way = UnderWay {
            places: self.places.clone(),
            taken: self.taken.clone(),
        };
        (under_way, others >= limit)
    }
}

impl UnderWay {
    /// Makes the connection busy as long as it has its place, because it becomes a WebSocket.
    pub(crate) fn becomes_socket(&self) {
        self.taken.requests.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.taken().remove(&self.number);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let now = self.places.clock.fetch_add(1, Ordering::Relaxed);
        self.taken.idle_since.store(now, Ordering::Relaxed);
        self.taken.requests.fetch_sub(1, Ordering::Relaxed);
        self.places.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, last).into()
    }

    /// Returns whether its place was given to another connection.
    fn is_closed(place: &Place) -> bool {
        !place.places.taken().contains_key(&place.number)
    }

    #[test]
    fn who_has_been_idle_longest_leaves_first() {
        let places = Arc::new(Places::default());
        let take = |last| places.take(address(last), 3, 4);
        let own: Vec<Place> = (0..3).filter_map(|_| take(1)).collect();
        let busy = own[0].begin(9);
        drop(own[1].begin(9));
        let fourth = take(1).expect("one of its own leaves");
        let closed: Vec<bool> = own.iter().map(is_closed).collect();
        assert_eq!(closed, [false, false, true], "the first one is busy");
        let other = take(2).expect("there is room for another address");
        let third = take(3).expect("the first address has an idle one");
        let closed: Vec<bool> = own.iter().map(is_closed).collect();
        assert_eq!(closed, [false, true, true]);
        assert!(!is_closed(&fourth) && !is_closed(&other) && !is_closed(&third));
        drop(busy);
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_count_as_one() {
        let [one, same, other, v4, mapped, next] = [
            "2001:db8::1",
            "2001:db8::ffff:1:2:3",
            "2001:db8:0:1::1",
            "10.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:10.0.0.2",
        ]
        .map(|text| client(text.parse().expect("an address")));
        assert!(one == same && one != other);
        assert!(v4 == mapped && v4 != next);
    }

    #[test]
    fn requests_beyond_the_limit_are_known() {
        let places = Arc::new(Places::default());
        let take = |last| places.take(address(last), 9, 9).expect("there is room");
        let (first, second) = (take(1), take(2));
        let (kept, is_beyond) = first.begin(1);
        assert!(!is_beyond && second.begin(1).1);
        drop(kept);
        assert!(
            !second.begin(1).1,
            "a request that has ended does not count"
        );
    }

    #[test]
    fn websocket_has_its_place_until_it_is_closed() {
        let places = Arc::new(Places::default());
        let socket = places.take(address(1), 1, 9).expect("there is room");
        let (under_way, _) = socket.begin(1);
        under_way.becomes_socket();
        drop(under_way);
        assert!(places.take(address(1), 1, 9).is_none());
        let other = places.take(address(2), 1, 9).expect("there is room");
        assert!(!other.begin(1).1, "it is no request");
        drop(socket);
        assert!(places.take(address(1), 1, 9).is_some());
    }

    #[test]
    fn nobody_who_is_served_leaves() {
        let places = Arc::new(Places::default());
        let first = places.take(address(1), 1, 9).expect("there is room");
        let busy = first.begin(9);
        assert!(places.take(address(1), 1, 9).is_none());
        assert!(places.take(address(2), 1, 9).is_some());
        drop(busy);
        assert!(places.take(address(1), 1, 9).is_some() && is_closed(&first));
    }
}
