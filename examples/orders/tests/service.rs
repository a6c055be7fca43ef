//! The service on PostgreSQL: orders, crashes of everything, and an upgrade under load.

mod common;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Database, LONG, Service, ask, cargo_otp};
use otp_bridge_novm as _;
use serde_json::{Value, json};

fn order(customer: u64, cents: u64) -> Option<Value> {
    Some(json!({ "customer": customer, "cents": cents }))
}

/// Places an order. Returns its path.
fn place(service: &Service, customer: u64, cents: u64) -> String {
    let (status, placed) = service.ask("POST", "/orders", order(customer, cents));
    assert_eq!(
        (status, &placed["stage"]),
        (201, &json!("placed")),
        "{placed}"
    );
    format!("/orders/{}", placed["number"])
}

fn orders_go_through_their_stages(service: &Service) {
    let first = place(service, 1, 60_000);
    assert_eq!(service.ask("POST", "/orders", order(1, 60_000)).0, 402);
    assert_eq!(service.ask("POST", &format!("{first}/ship"), None).0, 409);
    assert_eq!(service.ask("POST", &format!("{first}/pay"), None).0, 200);
    place(service, 1, 60_000);
    let (status, shipped) = service.ask("POST", &format!("{first}/ship"), None);
    assert_eq!((status, &shipped["stage"]), (200, &json!("shipped")));
    assert_eq!(service.ask("GET", &first, None), (200, shipped));
    assert_eq!(service.ask("POST", &format!("{first}/cancel"), None).0, 409);
    assert_eq!(service.ask("GET", "/orders/999999", None).0, 404);
    assert_eq!(service.ask("POST", "/orders/999999/pay", None).0, 404);
}

fn a_database_that_stops_is_a_503_and_comes_back(database: &Database, service: &Service) {
    let open = place(service, 2, 100);
    database.down();
    service.until(503, "GET", "/health");
    assert_eq!(service.ask("POST", "/orders", order(3, 100)).0, 503);
    assert_eq!(service.ask("POST", &format!("{open}/pay"), None).0, 503);
    database.up();
    service.until(200, "GET", "/health");
    service.until(200, "POST", &format!("{open}/pay"));
}

#[test]
fn crashes_of_the_database_and_of_the_vm_lose_no_order() {
    let Some(database) = Database::start() else {
        return;
    };
    let mut service = Service::start(&database, &[]);
    orders_go_through_their_stages(&service);
    a_database_that_stops_is_a_503_and_comes_back(&database, &service);
    let [open, paid] = [4, 5].map(|customer| place(&service, customer, 70_000));
    assert_eq!(service.ask("POST", &format!("{paid}/pay"), None).0, 200);
    service.kill();
    // With a second's patience, an order that is not paid is cancelled without a request.
    let service = Service::start(&database, &["--env", "patience=1"]);
    while service.ask("GET", &open, None).1["stage"] != "cancelled" {
        thread::sleep(Duration::from_millis(50));
    }
    // The customer owes nothing for it any more.
    service.until(409, "POST", &format!("{open}/pay"));
    assert_eq!(service.ask("POST", "/orders", order(4, 70_000)).0, 201);
    let (_, still) = service.ask("GET", &paid, None);
    assert_eq!(still["stage"], "paid");
}

#[test]
fn no_request_is_lost_while_the_service_changes_over() {
    let Some(database) = Database::start() else {
        return;
    };
    let name = format!("orders{}@127.0.0.1", std::process::id());
    let service = Service::start(&database, &["--name", &name]);
    let (ends, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let client = |customer: u64| {
        let agent = ureq::Agent::new_with_defaults();
        while !ends.load(Ordering::Relaxed) {
            let (status, placed) = ask(&agent, service.port, "POST", "/orders", order(customer, 1));
            assert_eq!(status, 201, "{placed}");
            let path = format!("/orders/{}", placed["number"]);
            let (status, paid) = ask(&agent, service.port, "POST", &format!("{path}/pay"), None);
            assert_eq!((status, &paid["stage"]), (200, &json!("paid")));
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    let more = |count: usize| {
        let until = done.load(Ordering::Relaxed) + count;
        let begins = Instant::now();
        while done.load(Ordering::Relaxed) < until {
            assert!(begins.elapsed() < LONG, "the clients are not answered");
            thread::sleep(Duration::from_millis(10));
        }
    };
    thread::scope(|scope| {
        let client = &client;
        (0..4).for_each(|customer| drop(scope.spawn(move || client(customer))));
        more(20);
        let mut upgrade = cargo_otp("upgrade");
        let upgrade = upgrade
            .args([&name, "--timeout", "60"])
            .env("ORDERS_BUILD", "next");
        let upgraded = upgrade.output().expect("cargo otp");
        more(20);
        ends.store(true, Ordering::Relaxed);
        assert!(upgraded.status.success(), "{upgraded:?}");
    });
    assert_eq!(
        service.ask("GET", "/health", None),
        (200, json!("ok, build next"))
    );
}
