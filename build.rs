//! Sets `QUEENCOUNT_VERSION` to the version of the package, followed by the commit if the package
//! is built from a checkout that is not a release.

use std::env;
use std::path::Path;
use std::process::Command;

/// The inputs of the build.
const SOURCES: [&str; 4] = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    let release = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    for source in SOURCES {
        if Path::new(source).exists() {
            println!("cargo::rerun-if-changed={source}");
        }
    }
    let version = build(&release).unwrap_or(release);
    println!("cargo::rustc-env=QUEENCOUNT_VERSION={version}");
}

/// Returns the version and commit of this build, or `None` for a release or outside a checkout.
fn build(release: &str) -> Option<String> {
    // A checkout of another project may contain a copy of this package.
    let root = Path::new(&git(&["rev-parse", "--show-toplevel"])?)
        .canonicalize()
        .ok()?;
    if root != env::current_dir().ok()?.canonicalize().ok()? {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let commit = git(&["rev-parse", "--short=7", "HEAD"])?;
    let changes = git(&[&["status", "--porcelain", "--"][..], &SOURCES].concat())?;
    let tags = git(&["tag", "--points-at", "HEAD"])?;
    if changes.is_empty() && tags.lines().any(|tag| tag == format!("v{release}")) {
        return None;
    }
    let dirty = if changes.is_empty() { "" } else { "-dirty" };
    Some(format!("{release}+{commit}{dirty}"))
}

/// Returns the output of a git command, or `None` if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "this is no test")]
    let output = Command::new("git")
        .arg("--no-optional-locks")
        .args(arguments)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
