//! A library that used serde_rustler's mapping. Its Elixir side is unchanged.

use std::collections::HashMap;

use otp_bridge::module;
use otp_bridge::serde::{Serde, SerdeRustler};
use rustler::SerdeTerm;
use serde::{Deserialize, Serialize};

/// `%Catalogue.Animal{}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Elixir.Catalogue.Animal")]
pub struct Animal {
    pub kind: Kind,
    pub name: String,
    pub age: u8,
    pub owner: Option<String>,
    pub marks: HashMap<String, (i64, f64)>,
}

/// `:cat`, `{:dog, "collie"}`, `{:cross, a, b}` or `%Catalogue.Wild{}`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "cat")]
    Cat,
    #[serde(rename = "dog")]
    Dog(String),
    #[serde(rename = "cross")]
    Cross(Box<Kind>, Box<Kind>),
    #[serde(rename = "Elixir.Catalogue.Wild")]
    Wild { range: u32 },
    /// The atom of this variant does not exist in the VM.
    #[serde(rename = "an_atom_that_nobody_has_used")]
    Unheard,
}

/// The function as it was written with rustler.
#[rustler::nif]
fn older(SerdeTerm(animal): SerdeTerm<Animal>) -> SerdeTerm<Animal> {
    SerdeTerm(Animal {
        age: animal.age + 1,
        ..animal
    })
}

/// The migrated functions.
#[module("Elixir.Catalogue")]
pub mod functions {
    use super::*;

    /// With rustler's type.
    pub fn younger(
        animal: SerdeTerm<Animal>,
    ) -> Result<SerdeTerm<Animal>, Serde<String, SerdeRustler>> {
        let SerdeTerm(animal) = animal;
        match animal.age.checked_sub(1) {
            Some(age) => Ok(SerdeTerm(Animal { age, ..animal })),
            None => Err(Serde::new("unborn".to_owned())),
        }
    }

    /// With otp-rs's type.
    pub fn renamed(
        animal: Serde<Animal, SerdeRustler>,
        name: String,
    ) -> Serde<Animal, SerdeRustler> {
        Serde::new(Animal {
            name,
            ..animal.into_inner()
        })
    }

    /// Returns a variant whose atom the VM does not have.
    pub fn unheard() -> Serde<Kind, SerdeRustler> {
        Serde::new(Kind::Unheard)
    }

    /// Returns its argument, which serde decodes and encodes.
    pub fn kind(kind: Serde<Kind, SerdeRustler>) -> Serde<Kind, SerdeRustler> {
        kind
    }

    /// Returns a value that has no term.
    pub fn infinite() -> Serde<f64, SerdeRustler> {
        Serde::new(f64::INFINITY)
    }
}
