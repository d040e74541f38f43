//! The names of sites and machines.

use std::fmt;
use std::str::FromStr;

const LONGEST_NAME: usize = 60;

/// The name of a site, with at most 60 characters and no control characters. If it is empty,
/// entries contain neither a site nor a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteName(String);

impl SiteName {
    /// Returns the name of this machine, shortened and without control characters.
    pub(super) fn machine() -> Self {
        let name = gethostname::gethostname();
        let name = name.to_string_lossy();
        let letters = name.chars().filter(|letter| !letter.is_control());
        Self(letters.take(LONGEST_NAME).collect())
    }

    /// Returns the name as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SiteName {
    type Err = SiteNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check_name(text)?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SiteName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The error for a string that is not a valid name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a name of at most {LONGEST_NAME} characters and no control characters")]
pub struct SiteNameError(());

pub(super) fn check_name(name: &str) -> Result<(), SiteNameError> {
    let is_valid = name.chars().nth(LONGEST_NAME).is_none() && !name.contains(char::is_control);
    if is_valid {
        Ok(())
    } else {
        Err(SiteNameError(()))
    }
}
