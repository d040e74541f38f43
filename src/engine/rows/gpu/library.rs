//! The library of a driver, loaded at run time. Where there is none, there are no devices.

#![expect(unsafe_code, reason = "a driver is code that Rust cannot check")]

use dlopen2::Error;
use dlopen2::wrapper::{Container, WrapperApi};

use super::host::{Driven, DriverFailure};

/// Declares the names of a library, and its functions, each as in the library's header.
macro_rules! functions {
    ($names:expr; $($name:ident($($arguments:tt)*) -> $result:ident;)*) => {
        use dlopen2::wrapper::WrapperApi;

        #[derive(WrapperApi)]
        pub struct Api {
            $($name: unsafe extern "C" fn($($arguments)*) -> $result,)*
        }

        /// The functions, if there is such a library.
        pub static API: std::sync::LazyLock<crate::engine::rows::gpu::library::Library<Api>> =
            std::sync::LazyLock::new(|| {
                // SAFETY: the library of these names has functions with these arguments.
                unsafe { crate::engine::rows::gpu::library::load(&$names) }
            });
    };
}
pub(super) use functions;

/// A library, if it is there; or the function that it lacks.
pub type Library<T> = Driven<Option<Container<T>>>;

/// Loads a library by the first of these names that there is.
///
/// # Safety
/// A library of such a name has to have functions with these arguments.
pub unsafe fn load<T: WrapperApi>(names: &[&str]) -> Library<T> {
    for name in names {
        // SAFETY: as promised by the caller.
        match unsafe { Container::load(name) } {
            Ok(library) => return Ok(Some(library)),
            Err(Error::OpeningLibraryError(_)) => {}
            Err(error) => {
                return Err(DriverFailure { said: format!("{name} lacks a function: {error}"), lacks_memory: false });
            }
        }
    }
    Ok(None)
}
