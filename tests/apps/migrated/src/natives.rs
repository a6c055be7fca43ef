//! The unchanged parts of the library: functions, types and a resource of rustler.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rustler::{
    Atom, Binary, Encoder, Env, NifResult, NifStruct, NifTaggedEnum, OwnedBinary, ResourceArc, Term,
};

mod atoms {
    rustler::atoms! { ok, overflow }
}

#[derive(Debug, Clone, PartialEq, NifStruct)]
#[module = "Plane.Point"]
pub struct Point {
    pub x: i64,
    pub y: i64,
}

#[derive(Debug, Clone, PartialEq, NifTaggedEnum)]
pub enum Step {
    By(i64, i64),
    Home,
}

/// The visited points.
pub struct Trail(Mutex<Vec<Point>>);

#[rustler::resource_impl]
impl rustler::Resource for Trail {}

static LOADED: AtomicBool = AtomicBool::new(false);

pub fn load(_: Env, _: Term) -> bool {
    LOADED.store(true, Ordering::Relaxed);
    true
}

#[rustler::nif]
fn loaded() -> bool {
    LOADED.load(Ordering::Relaxed)
}

#[rustler::nif]
fn add(one: Point, other: Point) -> NifResult<Point> {
    let sum = |one: i64, other: i64| {
        let overflow = || rustler::Error::RaiseTerm(Box::new(atoms::overflow()));
        one.checked_add(other).ok_or_else(overflow)
    };
    Ok(Point {
        x: sum(one.x, other.x)?,
        y: sum(one.y, other.y)?,
    })
}

#[rustler::nif(name = "reversed")]
fn reverse<'a>(env: Env<'a>, bytes: Binary<'a>) -> Binary<'a> {
    let mut reversed = OwnedBinary::new(bytes.len());
    reversed.copy_from_slice(bytes.as_slice());
    reversed.reverse();
    reversed.release(env)
}

#[rustler::nif(schedule = "DirtyCpu")]
fn scheduler(env: Env) -> Term {
    rustler::thread::is_scheduler_thread().encode(env)
}

#[rustler::nif]
fn trail() -> ResourceArc<Trail> {
    ResourceArc::new(Trail(Mutex::new(Vec::new())))
}

#[rustler::nif]
fn visit(trail: ResourceArc<Trail>, point: Point) -> (Atom, usize) {
    let mut points = trail.0.lock().expect("nobody panics with it");
    points.push(point);
    (atoms::ok(), points.len())
}

#[rustler::nif]
fn falls() -> bool {
    panic!("falls")
}
