//! Unit tests of claims and elections, without a VM.

use super::*;

fn map(name: &str) -> Map {
    Map::new(Peer {
        id: name.to_owned(),
        node: name.to_owned(),
        port: 1,
        epoch: 0,
        is_connected: true,
        master: None,
        seen: Seen::default(),
    })
}

fn tell(from: &Map, to: &mut Map) {
    from.claims().iter().for_each(|claim| to.merge(claim));
}

#[test]
fn the_last_claim_wins_in_whichever_order_they_arrive() {
    let (mut one, mut two, mut three) = (map("one"), map("two"), map("three"));
    one.take(0..10);
    tell(&one, &mut two);
    let before = one.claims();
    two.take([3]);
    tell(&two, &mut three);
    before.iter().for_each(|claim| three.merge(claim));
    tell(&two, &mut one);
    for map in [&one, &two, &three] {
        let owners: Vec<&str> = (2..5).filter_map(|it| Some(&*map.owner(it)?.id)).collect();
        assert_eq!(owners, ["one", "two", "one"]);
    }
    // A node that starts again with nothing learns what it had.
    let mut again = map("two");
    tell(&three, &mut again);
    assert!(again.is_mine(3) && !again.is_mine(2));
}

/// Three masters, and two replicas of the first one.
fn five() -> Vec<Map> {
    let mut all = ["a", "b", "c", "d", "e"].map(map);
    all[0].take(0..10);
    all[1].take(10..20);
    all[2].take(20..30);
    tell_all(&mut all);
    all[3].replicate("a");
    all[4].replicate("a");
    tell_all(&mut all);
    for map in &mut all {
        map.peers.iter_mut().for_each(|it| it.is_connected = true);
    }
    all.into()
}

fn tell_all(all: &mut [Map]) {
    for from in 0..all.len() {
        let claims = all[from].claims();
        for map in all.iter_mut() {
            claims.iter().for_each(|claim| map.merge(claim));
        }
    }
}

/// Lets a node hear from another one at a time.
fn hears(map: &mut Map, of: &str, time: u64, offset: u64) {
    let mut peers = map.peers.iter_mut();
    let peer = peers.find(|it| it.id == of).expect("it is known");
    peer.seen.heard = time;
    peer.seen.offset = offset;
}

const TIMEOUT: u64 = 100;

#[test]
fn the_replica_that_has_most_takes_the_slots_of_a_lost_master() {
    let mut all = five();
    // The two replicas learn late which of them has more changes.
    hears(&mut all[3], "e", 1000, 70);
    hears(&mut all[4], "d", 1000, 50);
    for map in &mut all {
        hears(map, "a", 1000, 0);
    }
    assert_eq!(all[4].stand(1099, TIMEOUT, 70), None);
    assert_eq!(all[3].stand(1100, TIMEOUT, 50), None);
    let epoch = all[4].stand(1100, TIMEOUT, 70).expect("it stands");
    assert_eq!(all[4].stand(1101, TIMEOUT, 70), None);
    // The other replica would have waited; it needs a later epoch to get votes.
    assert!(all[1].votes(1100, TIMEOUT, "e", (epoch, false)));
    assert!(!all[1].votes(1100, TIMEOUT, "d", (epoch, false)));
    assert!(!all[4].is_elected(epoch, "b") && !all[4].is_elected(epoch, "b"));
    // Replicas do not vote, and a master that is alive gets no votes against it.
    assert!(!all[3].votes(1100, TIMEOUT, "e", (epoch, false)));
    hears(&mut all[2], "a", 1050, 0);
    assert!(!all[2].votes(1100, TIMEOUT, "e", (epoch, false)));
    assert!(all[2].votes(1150, TIMEOUT, "e", (epoch, false)));
    assert!(all[4].is_elected(epoch, "c"));
    tell_all(&mut all);
    for map in &all {
        assert_eq!(map.owner(3).map(|it| &*it.id), Some("e"));
        let mut replicas: Vec<&str> = map.replicas("e").map(|it| &*it.id).collect();
        replicas.sort_unstable();
        assert_eq!(replicas, ["a", "d"]);
    }
    // The old master, restarted with its initial slots, learns its new role.
    let mut again = map("a");
    again.take(0..10);
    let claims = all[1].claims();
    claims.iter().for_each(|claim| again.merge(claim));
    assert!(again.master().is_some_and(|it| it.id == "e") && !again.is_mine(3));
}

#[test]
fn a_master_that_most_have_not_heard_of_serves_no_longer_than_they_wait() {
    let mut all = five();
    let confirm = |map: &mut Map, of: &str, time: u64| {
        let mut peers = map.peers.iter_mut();
        let peer = peers.find(|it| it.id == of).expect("it is known");
        peer.seen.confirmed = time;
    };
    confirm(&mut all[0], "b", 1000);
    confirm(&mut all[0], "c", 1040);
    // Until 1140, one of the two other masters does not vote, and both votes would be necessary.
    assert_eq!(all[0].served_until(TIMEOUT), 1140);
    // A master without replicas cannot lose its slots.
    assert_eq!(all[1].served_until(TIMEOUT), u64::MAX);
    // With two masters, neither can be voted out.
    all[0].take(20..30);
    assert_eq!(all[0].served_until(TIMEOUT), u64::MAX);
}

#[test]
fn a_node_that_is_forgotten_is_not_heard_of_for_a_while() {
    let mut all = five();
    let claims = all[1].claims();
    let at = all[0].find("b").expect("it is known").0;
    all[0].forget(at, 9);
    claims.iter().for_each(|claim| all[0].merge(claim));
    assert!(all[0].find("b").is_none() && all[0].owner(12).is_none());
    assert_eq!(all[0].owner(25).map(|it| &*it.id), Some("c"));
    all[0].forgotten.clear();
    claims.iter().for_each(|claim| all[0].merge(claim));
    assert_eq!(all[0].owner(12).map(|it| &*it.id), Some("b"));
}
