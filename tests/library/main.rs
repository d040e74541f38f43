//! Tests of the library's public API. There is one file per promise, but only one binary, because
//! linking a test takes longer than running it.

#[cfg(feature = "records")]
mod audits;
mod backtrack;
mod boards;
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "records")]
mod corpus;
mod count;
mod devices;
mod estimates;
mod fake;
#[cfg(feature = "records")]
mod journal;
mod oracle;
#[cfg(feature = "records")]
mod records;
mod rows;
mod solutions;
mod splitmix;
mod symmetry;
#[cfg(feature = "records")]
mod units;
