//! Printing to group leaders.

use std::fmt;

use crate::runtime::output;

#[doc(hidden)]
pub fn print(arguments: fmt::Arguments<'_>) {
    output::print(&arguments.to_string());
}

#[doc(hidden)]
pub fn print_line(arguments: fmt::Arguments<'_>) {
    output::print(&format!("{arguments}\n"));
}

/// Prints to the group leader of the process whose callback runs, like `io:format/2`, and not to
/// the standard output of the whole VM, like Rust's own `print!`. It does not wait: the process
/// prints when the callback returns or waits. See `docs/logs.md`.
#[macro_export]
macro_rules! print {
    ($($argument:tt)*) => {
        $crate::__private::print(::core::format_args!($($argument)*))
    };
}

/// Like `print!`, with a new line at the end.
///
/// ```
/// # use otp_bridge_novm as _;
/// use otp_bridge::println;            // in this Rust module, `println!` is Erlang's
///
/// fn greet(name: &str) {
///     println!("hello, {name}");
/// }
/// ```
#[macro_export]
macro_rules! println {
    () => { $crate::__private::print(::core::format_args!("\n")) };
    ($($argument:tt)*) => {
        $crate::__private::print_line(::core::format_args!($($argument)*))
    };
}
