//! Geohashes: places on the earth as numbers of 52 bits, in the form that redis-server stores in
//! sorted sets.

/// Range of longitudes.
pub const LONGITUDES: (f64, f64) = (-180.0, 180.0);
/// Range of latitudes, as in Mercator's projection.
pub const LATITUDES: (f64, f64) = (-85.051_128_78, 85.051_128_78);
/// Number of bits for each coordinate.
const BITS: u32 = 26;
const STEPS: f64 = (1_u64 << BITS) as f64;
/// Radius of the earth in metres.
const RADIUS: f64 = 6_372_797.560_856;

/// A longitude and a latitude.
pub type Coordinates = (f64, f64);

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is within the range"
)]
fn step(value: f64, (low, high): (f64, f64)) -> u64 {
    ((value - low) / (high - low) * STEPS) as u64
}

fn encode((longitude, latitude): Coordinates, latitudes: (f64, f64)) -> u64 {
    let (east, north) = (step(longitude, LONGITUDES), step(latitude, latitudes));
    (0..BITS).fold(0, |bits, at| {
        bits | (north >> at & 1) << (2 * at) | (east >> at & 1) << (2 * at + 1)
    })
}

/// Returns the number of a place.
#[must_use]
pub fn number(place: Coordinates) -> u64 {
    encode(place, LATITUDES)
}

/// Returns the place of a number: the middle of its area.
#[must_use]
pub fn decode(number: u64) -> Coordinates {
    let every_second =
        |bits: u64| (0..BITS).fold(0, |found, at| found | (bits >> (2 * at) & 1) << at);
    let middle = |step: u64, (low, high): (f64, f64)| {
        let scale = high - low;
        let begin = low + step as f64 / STEPS * scale;
        let end = low + (step + 1) as f64 / STEPS * scale;
        f64::midpoint(begin, end).clamp(low, high)
    };
    let (east, north) = (every_second(number >> 1), every_second(number));
    (middle(east, LONGITUDES), middle(north, LATITUDES))
}

/// Returns the eleven characters of a geohash.
#[must_use]
pub fn text(place: Coordinates) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
    let bits = encode(place, (-90.0, 90.0));
    let character = |at: u32| {
        let index = if at == 10 {
            0
        } else {
            bits >> (52 - (at + 1) * 5) & 0x1f
        };
        char::from(ALPHABET[usize::try_from(index).unwrap_or_default()])
    };
    (0..11).map(character).collect()
}

/// Returns the distance between two latitudes in metres.
#[must_use]
pub fn north(one: f64, other: f64) -> f64 {
    RADIUS * (other.to_radians() - one.to_radians()).abs()
}

/// Returns the distance between two places in metres.
#[must_use]
pub fn distance(one: Coordinates, other: Coordinates) -> f64 {
    let (latitude, with) = (one.1.to_radians(), other.1.to_radians());
    let east = ((other.0.to_radians() - one.0.to_radians()) / 2.0).sin();
    if east == 0.0 {
        return north(one.1, other.1);
    }
    let up = ((with - latitude) / 2.0).sin();
    2.0 * RADIUS
        * (up * up + latitude.cos() * with.cos() * east * east)
            .sqrt()
            .asin()
}
