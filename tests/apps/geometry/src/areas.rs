//! Functions of all kinds, exported to Erlang.

use std::time::Duration;

use otp_bridge::term::Binary;
use otp_bridge::{Cx, Pid, Result, Term, module};

/// `{circle, Radius} | {rectangle, Width, Height} | {polygon, [{X, Y}]}`
#[derive(Debug, Clone, Term)]
pub enum Shape {
    /// By its radius.
    Circle(f64),
    /// By its sides.
    Rectangle(f64, f64),
    /// By its corners.
    Polygon(Vec<(f64, f64)>),
}

/// `flat`
#[derive(Debug, Term)]
pub struct Flat;

/// Areas of shapes.
///
/// A shape is a circle, `{circle, Radius}`, a rectangle or a polygon.
#[module("geometry")]
pub mod functions {
    use super::*;

    /// The area of a shape: `pi * R * R` for a circle with "radius" R.
    ///
    /// ```
    /// geometry:area({circle, 1.0}).
    /// ```
    pub fn area(shape: &Shape) -> f64 {
        match shape {
            Shape::Circle(radius) => std::f64::consts::PI * radius * radius,
            Shape::Rectangle(width, height) => width * height,
            Shape::Polygon(corners) => doubled(corners).abs() / 2.0,
        }
    }

    /// The area of a shape in another unit.
    #[erlang(name = "area")]
    pub fn area_in(shape: &Shape, unit: f64) -> f64 {
        area(shape) / (unit * unit)
    }

    /// The shoelace formula.
    fn doubled(corners: &[(f64, f64)]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        let pairs = corners.iter().zip(next);
        pairs.map(|((x, y), (u, v))| x * v - u * y).sum()
    }

    /// The sum of all areas.
    pub fn total(shapes: &[Shape]) -> f64 {
        shapes.iter().map(area).sum()
    }

    /// A shape of another size.
    pub fn scaled(shape: Shape, by: f64) -> Shape {
        match shape {
            Shape::Circle(radius) => Shape::Circle(radius * by),
            Shape::Rectangle(width, height) => Shape::Rectangle(width * by, height * by),
            Shape::Polygon(corners) => {
                let corner = |(x, y)| (x * by, y * by);
                Shape::Polygon(corners.into_iter().map(corner).collect())
            }
        }
    }

    /// The diameter of the circle with this area.
    pub fn diameter(area: f64) -> Result<f64, String> {
        match area < 0.0 {
            true => Err(format!("a negative area: {area:?}")),
            false => Ok(2.0 * (area / std::f64::consts::PI).sqrt()),
        }
    }

    /// Whether it is a shape with an area.
    pub fn check(shape: &Shape) -> Result<(), Flat> {
        match area(shape) > 0.0 {
            true => Ok(()),
            false => Err(Flat),
        }
    }

    /// Like `check`, for a shape that is written as text.
    pub fn check_text(text: &str) -> Result<Result<(), Flat>, String> {
        match text.parse() {
            Ok(radius) => Ok(check(&Shape::Circle(radius))),
            Err(_) => Err(format!("not a radius: {text}")),
        }
    }

    /// The area of a shape, which must have one.
    #[raises]
    pub fn positive_area(shape: &Shape) -> Result<f64, Flat> {
        check(shape).map(|()| area(shape))
    }

    /// Like `positive_area`, but throws.
    #[raises(throw)]
    pub fn thrown_area(shape: &Shape) -> Result<f64, Flat> {
        positive_area(shape)
    }

    /// Does not exist on this platform.
    #[cfg(feature = "never")]
    pub fn never(shape: &Missing) {}

    /// Does nothing.
    pub fn nothing() {}

    /// Shouts.
    pub fn shout(text: &str) -> String {
        text.to_uppercase()
    }

    /// The sum of the bytes of a binary.
    pub fn checksum(bytes: &[u8]) -> u64 {
        bytes.iter().map(|byte| u64::from(*byte)).sum()
    }

    /// The bytes in reverse order.
    pub fn reversed(bytes: Binary) -> Binary {
        Binary::from(bytes.iter().rev().copied().collect::<Vec<_>>())
    }

    /// Panics.
    pub fn panics(text: &str) -> u8 {
        panic!("told to: {text}")
    }

    /// Panics after an await.
    pub async fn panics_later(text: &str, cx: &Cx<'_>) -> u8 {
        let _ = cx.sleep(Duration::from_millis(1)).await;
        panic!("told to: {text}")
    }

    /// Works for that many milliseconds, and yields.
    pub async fn busy(milliseconds: u64, cx: &Cx<'_>) -> Result<u64> {
        for _ in 0..milliseconds {
            let began = std::time::Instant::now();
            while began.elapsed() < Duration::from_millis(1) {
                std::hint::spin_loop();
            }
            cx.checkpoint().await;
        }
        Ok(milliseconds)
    }

    /// Works for that many milliseconds without yielding, always on a normal scheduler.
    #[normal]
    pub fn stubborn(milliseconds: u64) -> u64 {
        heavy(milliseconds)
    }

    /// Works for that many milliseconds on a dirty scheduler.
    #[dirty(cpu)]
    pub fn heavy(milliseconds: u64) -> u64 {
        let began = std::time::Instant::now();
        while began.elapsed() < Duration::from_millis(milliseconds) {
            std::hint::spin_loop();
        }
        milliseconds
    }

    /// The size of a file, read on a dirty scheduler for IO.
    #[dirty(io)]
    pub fn size_of_file(path: &str) -> Result<u64, String> {
        let metadata = std::fs::metadata(path);
        metadata
            .map(|it| it.len())
            .map_err(|error| error.kind().to_string())
    }

    /// The process that called.
    pub fn caller(cx: &Cx<'_>) -> Pid {
        cx.pid()
    }

    /// Calls a server, which squares numbers.
    pub async fn squared(server: Pid, number: u64, cx: &Cx<'_>) -> Result<u64> {
        cx.sleep(Duration::from_millis(1)).await?;
        cx.apply("gen_server", "call", (server, number)).await
    }
}
