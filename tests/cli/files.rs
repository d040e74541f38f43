//! The checker's output file is written completely or not at all. A failure of the file system
//! prints one line, exits with code 1, and leaves the old file unchanged.

use std::fs;
use std::path::Path;

use crate::program::{arguments, feed, queencount, text};

const FOUR: &str = "2 4 1 3\n3 1 4 2\n2\n";

/// Runs the checker in a directory. Returns its exit code and stderr.
fn checker(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = queencount(&[&["checker"], arguments].concat())
        .current_dir(folder)
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "");
    (output.status.code(), text(&output.stderr))
}

#[track_caller]
fn fails(folder: &Path, arguments: &[&str], code: i32, says: &str) {
    let (found, error) = checker(folder, arguments);
    assert_eq!(found, Some(code), "{error}");
    assert!(
        error.contains(says) && error.matches('\n').count() == 1,
        "{error:?}"
    );
}

/// Creates a directory with an input and an older output.
fn folder(input: &[u8]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("checker.in"), input).unwrap();
    fs::write(folder.path().join("checker.out"), "old").unwrap();
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn new_output_replaces_old_file() {
    let folder = folder(b" 4\n");
    let path = folder.path();
    assert_eq!(checker(path, &[]), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(path.join("checker.out")).unwrap(), FOUR);
    fs::create_dir(path.join("sub")).unwrap();
    assert_eq!(
        checker(path, &["--input", "checker.in", "--output", "sub/out"]),
        (Some(0), String::new())
    );
    assert_eq!(fs::read_to_string(path.join("sub/out")).unwrap(), FOUR);
    assert_eq!(files(path), ["checker.in", "checker.out", "sub"]);
    assert_eq!(files(&path.join("sub")), ["out"]);
}

#[test]
fn bad_input_leaves_old_file() {
    for (input, found) in [
        (&b"x"[..], "found \"x\""),
        (b"", "found nothing"),
        (b"-6", "found \"-6\""),
        (b"0", "found \"0\""),
        (b"33", "found \"33\""),
        (b"6 queens", "found \"6 queens\""),
        (b"6\n7\n", "found \"6\\n7\""),
        (b"\xff", "found"),
    ] {
        let folder = folder(input);
        fails(folder.path(), &[], 2, found);
        assert_eq!(
            fs::read_to_string(folder.path().join("checker.out")).unwrap(),
            "old"
        );
        assert_eq!(files(folder.path()), ["checker.in", "checker.out"]);
    }
}

#[test]
fn unwritable_output_leaves_old_file() {
    let folder = folder(b"4");
    let path = folder.path();
    fails(
        path,
        &["--output", "."],
        2,
        "--output: expected a file, found ., which is a directory",
    );
    fails(
        path,
        &["--output", "no/where"],
        2,
        "no/where: no such directory: no; choose another file with --output",
    );
    fails(
        path,
        &["--output", "checker.in/out"],
        2,
        "checker.in/out: no such directory: checker.in; choose another file with --output",
    );
    let out = path.join("checker.out");
    let mut permissions = fs::metadata(&out).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&out, permissions).unwrap();
    fails(path, &[], 1, "cannot write checker.out: ");
    assert_eq!(fs::read_to_string(out).unwrap(), "old");
    assert_eq!(files(path), ["checker.in", "checker.out"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_preserved() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = folder(b"4");
    let path = folder.path();
    fs::set_permissions(path.join("checker.out"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("checker.out", path.join("link")).unwrap();
    assert_eq!(
        checker(path, &["--output", "link"]),
        (Some(0), String::new())
    );
    assert!(path.join("link").is_symlink());
    assert_eq!(fs::read_to_string(path.join("checker.out")).unwrap(), FOUR);
    // A new output has the same permissions as other new files of the user.
    fs::write(path.join("any"), "").unwrap();
    assert_eq!(
        checker(path, &["--output", "new"]),
        (Some(0), String::new())
    );
    let [old, new, any] = ["checker.out", "new", "any"]
        .map(|name| fs::metadata(path.join(name)).unwrap().permissions().mode() & 0o777);
    assert!(old == 0o640 && new == any, "{old:o} {new:o} {any:o}");
}

/// Simulates a full disk: no file may become larger than zero bytes.
#[cfg(unix)]
#[test]
fn full_disk_leaves_old_file() {
    let folder = folder(b"4");
    let script = format!(
        "trap '' XFSZ; ulimit -f 0; exec '{}' checker",
        env!("CARGO_BIN_EXE_queencount")
    );
    let output = crate::common::child::command("sh")
        .args(["-c", &script])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(
        text(&output.stderr).starts_with("queencount: cannot write checker.out: "),
        "{output:?}"
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("checker.out")).unwrap(),
        "old"
    );
    assert_eq!(files(folder.path()), ["checker.in", "checker.out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn device_files_are_written_but_not_replaced() {
    use std::os::unix::fs::FileTypeExt;

    let folder = folder(b"4");
    fails(
        folder.path(),
        &["--output", "/dev/full"],
        1,
        "cannot write /dev/full: ",
    );
    assert!(
        fs::metadata("/dev/full")
            .unwrap()
            .file_type()
            .is_char_device()
    );
    let output = queencount(&["checker", "--output", "/dev/stdout"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stdout)),
        (Some(0), FOUR.to_owned())
    );
}

/// Runs the program with this input. Returns stdout.
fn fed(folder: &Path, line: &str, input: &str) -> String {
    let mut command = queencount(&arguments(line));
    let output = feed(command.current_dir(folder), input);
    let error = text(&output.stderr);
    assert_eq!(
        (output.status.code(), error.as_str()),
        (Some(0), ""),
        "{line}"
    );
    text(&output.stdout)
}

/// Wherever a file is expected, `-` means stdin or stdout.
#[test]
fn dash_means_stdin_or_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert_eq!(fed(path, "checker --input - --output -", "4\n"), FOUR);
    assert!(fed(path, "draw 4 --svg -", "").starts_with("<svg "));
    assert_eq!(files(path), [""; 0]);

    fed(path, "run 8 -q --units @- --record one", "0-9");
    fed(path, "run 8 -q --units @- --record other", "10-20");
    let [one, other] = ["one", "other"].map(|name| fs::read_to_string(path.join(name)).unwrap());
    assert_eq!(fed(path, "merge one -", &other), "92\n");
    assert_eq!(fed(path, "merge -", &(one.clone() + &other)), "92\n");
    assert!(fed(path, "audit - -q", &one).contains(" recounted, 0 wrong"));
    assert_eq!(files(path), ["one", "other"]);
    // A name may begin with a dash, but must not look like an option in the advice of `status`.
    fs::copy(path.join("one"), path.join("-n")).unwrap();
    let advice = queencount(&["status", "--", "-n"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(
        text(&advice.stdout).ends_with("\nNext: queencount merge ./-n --missing\n"),
        "{advice:?}"
    );
    // Errors in input from stdin also name the input.
    let damaged = other.replacen("\"count\":\"", "\"count\":\"1", 1);
    let mut merge = queencount(&["merge", "-", "one"]);
    let output = feed(merge.current_dir(&folder), damaged);
    assert_eq!(output.status.code(), Some(4));
    assert!(
        text(&output.stderr).starts_with("queencount: stdin line 2: damaged: "),
        "{output:?}"
    );
}
