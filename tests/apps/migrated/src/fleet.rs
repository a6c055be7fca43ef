//! A server with rustler's types in its messages and its state.

use std::collections::BTreeMap;

use otp_bridge::Rustler;
use otp_bridge::atoms::ok;
use otp_bridge::gen_server::prelude::*;
use otp_bridge::term::Map;

use crate::natives::{Point, Step};

#[derive(Debug, Default)]
pub struct Fleet {
    ships: BTreeMap<String, Point>,
}

/// `{go, Ship, Step}`
#[derive(Debug, Term)]
#[reply(Rustler<Point>)]
pub struct Go(String, Rustler<Step>);

/// `ships`
#[derive(Debug, Term)]
#[reply(Map<String, Rustler<Point>>)]
pub struct Ships;

#[gen_server]
impl GenServer for Fleet {
    type Args = ();

    fn init(_: ()) -> impl InitReturn<Self> {
        (ok, Fleet::default())
    }

    fn handle_call(&mut self, Go(ship, Rustler(step)): Go) -> HandleCall<Rustler<Point>> {
        let point = self.ships.entry(ship).or_insert(Point { x: 0, y: 0 });
        *point = match step {
            Step::By(x, y) => Point {
                x: point.x + x,
                y: point.y + y,
            },
            Step::Home => Point { x: 0, y: 0 },
        };
        reply(Rustler(point.clone()))
    }

    fn handle_call(&mut self, _: Ships) -> HandleCall<Map<String, Rustler<Point>>> {
        let ships = self.ships.iter();
        let entries = ships.map(|(ship, point)| (ship.clone(), Rustler(point.clone())));
        reply(entries.collect::<Map<_, _>>())
    }
}
