//! Errors of the operating system as exit reasons: OTP's atoms (`inet:posix()`, `file:posix()`).

use std::io;
use std::panic::Location;

use crate::runtime::Class;
use crate::runtime::{Exit, ExitOf};
use crate::{Atom, Term, atom};

macro_rules! posix {
    ($($number:ident $name:literal)*) => {
        /// Returns OTP's name of an error number.
        fn posix(number: i32) -> Option<Atom> {
            Some(match number {
                $(libc::$number => atom!($name),)*
                _ => return None,
            })
        }
    };
}

posix! {
    EACCES "eacces"
    EADDRINUSE "eaddrinuse"
    EADDRNOTAVAIL "eaddrnotavail"
    EAFNOSUPPORT "eafnosupport"
    EAGAIN "eagain"
    EALREADY "ealready"
    EBADF "ebadf"
    EBUSY "ebusy"
    ECONNABORTED "econnaborted"
    ECONNREFUSED "econnrefused"
    ECONNRESET "econnreset"
    EDQUOT "edquot"
    EEXIST "eexist"
    EFBIG "efbig"
    EHOSTUNREACH "ehostunreach"
    EINTR "eintr"
    EINVAL "einval"
    EIO "eio"
    EISCONN "eisconn"
    EISDIR "eisdir"
    ELOOP "eloop"
    EMFILE "emfile"
    EMLINK "emlink"
    EMSGSIZE "emsgsize"
    ENAMETOOLONG "enametoolong"
    ENETDOWN "enetdown"
    ENETUNREACH "enetunreach"
    ENFILE "enfile"
    ENOBUFS "enobufs"
    ENODEV "enodev"
    ENOENT "enoent"
    ENOMEM "enomem"
    ENOSPC "enospc"
    ENOSYS "enosys"
    ENOTCONN "enotconn"
    ENOTDIR "enotdir"
    ENOTEMPTY "enotempty"
    ENOTSOCK "enotsock"
    ENOTSUP "enotsup"
    ENXIO "enxio"
    EPERM "eperm"
    EPIPE "epipe"
    EPROTO "eproto"
    ERANGE "erange"
    EROFS "erofs"
    ESPIPE "espipe"
    ETIMEDOUT "etimedout"
    EXDEV "exdev"
}

/// `?` on an [`io::Error`] ends the process with OTP's name of the error, such as `econnrefused`,
/// or with its text if there is no such name.
#[diagnostic::do_not_recommend]
impl ExitOf<io::Error> for Exit {
    fn of(error: io::Error, location: &'static Location<'static>) -> Self {
        let reason = match error.raw_os_error().and_then(posix) {
            Some(name) => Term::of(&name),
            None => Term::of(&error.to_string()),
        };
        Exit::raised_at(Class::Exit, reason, location)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(error: io::Error) -> String {
        Exit::from(error).into_reason().to_string()
    }

    #[test]
    fn an_error_of_the_system_has_otps_name() {
        assert_eq!(
            reason(io::Error::from_raw_os_error(libc::ECONNREFUSED)),
            "econnrefused"
        );
        assert_eq!(reason(io::Error::from_raw_os_error(libc::ENOENT)), "enoent");
    }

    #[test]
    fn another_error_has_its_text() {
        let reason = reason(io::Error::other("out of order"));
        assert_eq!(reason, r#"<<"out of order">>"#);
    }
}
