//! Conversions from `Name` to each behaviour's own type of names, which the bindings of its
//! functions expect.

use super::{gen_event, gen_server, gen_statem, supervisor};
use crate::atoms;
use crate::process::Name;

macro_rules! names {
    ($($module:ident::$type:ident),+) => {$(
        impl From<Name> for $module::$type {
            fn from(name: Name) -> Self {
                match name {
                    Name::Local(name) => (atoms::local, name).into(),
                    Name::Global(name) => (atoms::global, name).into(),
                    Name::Via(module, name) => (atoms::via, module, name).into(),
                }
            }
        }
    )+};
}

names!(
    gen_event::EmgrName,
    gen_server::ServerName,
    gen_statem::ServerName,
    supervisor::SupName
);
