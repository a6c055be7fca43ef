//! The result of a check for a term that is not of a type.

/// A term is not of a type. The number is how many levels below the term the reason is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Misfit(u32);

impl Misfit {
    /// The term itself is not of the type.
    pub const HERE: Misfit = Misfit(0);

    /// Returns `Ok` if the term itself is of the type.
    ///
    /// # Errors
    /// The term is not of the type.
    pub fn unless(fits: bool) -> Result<(), Misfit> {
        if fits { Ok(()) } else { Err(Misfit::HERE) }
    }

    /// Returns the misfit as seen from the term that contains the part.
    #[must_use]
    pub fn within(self) -> Misfit {
        Misfit(self.0.saturating_add(1))
    }
}
