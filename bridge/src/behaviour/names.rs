//! A `Name` where a behaviour's own type of names is taken, as by the bindings of its functions.

use super::{gen_event, gen_server, gen_statem, supervisor};
use crate::process::Name;

macro_rules! names {
    ($($module:ident::$type:ident),+) => {$(
        impl From<Name> for $module::$type {
            fn from(name: Name) -> Self {
                match name {
                    Name::Local(name) => Self::Local(name),
                    Name::Global(name) => Self::Global(name),
                    Name::Via(module, name) => Self::Via(module, name),
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
