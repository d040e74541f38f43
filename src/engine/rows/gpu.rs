//! Units counted on a GPU: the same lists and the same pairs as on a CPU, by other loops.
//!
//! A CPU thread finds quarter-boards and feeds the device with them. All else happens there, for many column sets at
//! once: half-boards are made, sorted by key, and joined block by block. Threads have queues of their own, so that the
//! device works for one while others prepare.
//!
//! - `kernels.c` is what runs on the device, `host` what kernels and hosts agree on. Hosts are `cuda`, for NVIDIA's GPUs,
//!   and `opencl`, for all others.
//! - `device` says what there is, by the `description` of a driver; `work` what it has done, `model` what that should
//!   take, and `shares` which memory each feeder has of it.
//! - A device is fed with `quarters`, and a `layout`, which is the key, and the tables that fit it.
//! - `feeder` has a device count a unit, in batches, by a `queue` of commands.
//!
//! Without the feature `gpu` there are no devices, and so no feeders.

#[cfg(feature = "gpu")]
mod cuda;
mod description;
mod device;
#[cfg(feature = "gpu")]
mod feeder;
#[cfg(feature = "gpu")]
mod host;
#[cfg(feature = "gpu")]
mod layout;
#[cfg(feature = "gpu")]
mod model;
#[cfg(not(feature = "gpu"))]
mod nobody;
#[cfg(feature = "gpu")]
mod opencl;
#[cfg(feature = "gpu")]
mod quarters;
#[cfg(feature = "gpu")]
mod queue;
#[cfg(feature = "gpu")]
mod shares;
#[cfg(all(test, feature = "gpu"))]
mod tests;
mod work;

pub use self::description::DeviceDescription;
pub use self::device::Device;
#[cfg(feature = "gpu")]
pub use self::feeder::Feeder;
#[cfg(not(feature = "gpu"))]
pub use self::nobody::Feeder;
pub use self::work::{DeviceTime, DeviceWork};
