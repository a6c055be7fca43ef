//! The keys that the requests contain.

/// The number of keys.
pub const KEYS: u32 = 100_000;

/// The number of keys that are drawn before the measurement. They are repeated.
const DRAWS: usize = 1 << 19;

/// The exponent of Zipf's distribution, as in the benchmark YCSB: the first key gets 8 % of all
/// requests.
const EXPONENT: f64 = 0.99;

/// A sequence of drawn keys.
pub struct Draws(Vec<u32>);

impl Draws {
    /// All keys are equally likely.
    pub fn uniform() -> Self {
        let mut random = Random::default();
        let draw = |_| (random.part() * f64::from(KEYS)) as u32;
        Draws((0..DRAWS).map(draw).collect())
    }

    /// A key's probability falls with its rank.
    pub fn skewed() -> Self {
        let mut sum = 0.0;
        let sums = (1..=KEYS).map(|rank| {
            sum += f64::from(rank).powf(-EXPONENT);
            sum
        });
        let sums: Vec<f64> = sums.collect();
        let mut random = Random::default();
        let draw = |_| {
            let part = random.part() * sum;
            sums.partition_point(|it| *it <= part) as u32
        };
        Draws((0..DRAWS).map(draw).collect())
    }

    /// Returns the key at an index.
    pub fn at(&self, place: usize) -> u32 {
        self.0[place % DRAWS]
    }
}

/// A generator of fixed pseudorandom numbers (xorshift), so that all servers get equal requests.
struct Random(u64);

impl Default for Random {
    fn default() -> Self {
        Random(0x9E37_79B9_7F4A_7C15)
    }
}

impl Random {
    /// Returns a number from 0 to 1, excluding 1.
    fn part(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
