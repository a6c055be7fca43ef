//! Values that all processes and threads of an application share: pools of connections, clients,
//! caches. Declare one with [`shared!`](crate::shared!).
//!
//! A resource of a build is opened before any other code of the build runs, and closed when the
//! last process of the build has ended or switched to another one. So no process finds it closed or
//! empty, even during an upgrade.

pub use crate::runtime::shared::{SharedResource, TestDouble, Unavailable};

/// Declares values that all processes and threads of the application share, such as a pool of
/// connections (feature `tokio`).
///
/// ```
/// # use otp_bridge_novm as _;
/// # use std::sync::Arc;
/// use otp_bridge::Env;
/// # struct Pool;
/// # #[derive(Debug)]
/// # struct NoDatabase;
/// # impl std::fmt::Display for NoDatabase {
/// #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str("no") }
/// # }
/// # impl std::error::Error for NoDatabase {}
/// # impl Pool {
/// #     async fn connect(_: &str) -> Result<Pool, NoDatabase> { Ok(Pool) }
/// #     async fn close(&self) {}
/// # }
///
/// otp_bridge::shared! {
///     /// The connections to the database.
///     pub static DB: Pool = connect, close = disconnect;
/// }
///
/// /// `[env]` in otp.toml.
/// #[derive(Debug, Env)]
/// pub struct Settings {
///     pub database: String,
/// }
///
/// async fn connect(settings: Settings) -> Result<Pool, NoDatabase> {
///     Pool::connect(&settings.database).await
/// }
///
/// async fn disconnect(pool: Arc<Pool>) {
///     pool.close().await;
/// }
/// ```
///
/// `DB` is a [`SharedResource<Pool>`](crate::shared::SharedResource). Any callback, task, thread or
/// handler gets the pool by [`DB.get()?`](crate::shared::SharedResource::get), an `Arc<Pool>`.
///
/// **The function that opens it** has no argument, or takes a struct that derives
/// [`Env`](crate::Env), the environment of its application. It returns the value, or a `Result`
/// with any error that has a text, and may be `async`. An `async fn` runs on a thread of the
/// library's Tokio run time, another function on one of the run time's threads that may block. Its
/// time limit is a minute.
///
/// **`close = function`** is called with an `Arc` of the value, and may be `async`. Its time limit
/// is 10 seconds. Then the value is dropped.
///
/// **`retry = true`** lets the application start without a resource that cannot be opened: `get`
/// returns the reason, and opening is retried, first after 100 ms and finally every 30 s.
///
/// Resources in one file are opened in the order of their declarations, so the `open` of a resource
/// may use those above it. Files are opened in the order of their paths. Resources are closed in
/// the reverse order.
#[macro_export]
macro_rules! shared {
    ($(
        $(#[$meta:meta])*
        $visibility:vis static $name:ident: $type:ty = $open:expr
        $(, close = $close:expr)? $(, retry = $retry:expr)?
    );+ $(;)?) => {
        $(
            $(#[$meta])*
            $visibility static $name: $crate::shared::SharedResource<$type> =
                $crate::shared::SharedResource::__new(
                    ::core::concat!(::core::module_path!(), "::", ::core::stringify!($name)),
                    $crate::__private::shared::ResourceFunctions {
                        open: |call| {
                            $crate::__private::shared::open_by::<$type, _, _, _>(call, $open)
                        },
                        close: $crate::__shared_close!($type $(, $close)?),
                        retry: false $(|| $retry)?,
                    },
                );
        )+
        const _: () = {
            $crate::__private::inventory::submit! {
                $crate::__private::shared::SharedEntry::new(
                    &[$(&$name),+],
                    ::core::panic::Location::caller(),
                )
            }
        };
    };
}

/// The function that closes a resource, if there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! __shared_close {
    ($type:ty) => {
        ::core::option::Option::None
    };
    ($type:ty, $close:expr) => {
        ::core::option::Option::Some(|value| {
            $crate::__private::shared::close_by::<$type, _, _>(value, $close)
        })
    };
}
