//! Every accepted option has an effect, and messages about options are grammatical.

use crate::program::{run, stdout, text};

#[test]
fn sizes_and_times_accept_decimals_and_lowercase() {
    for (size, bytes) in [
        ("256m", 256_u64 << 20),
        ("1.5G", 3 << 29),
        ("1048576", 1 << 20),
        ("1024T", 1 << 50),
    ] {
        assert_eq!(memory(size), memory(&bytes.to_string()), "{size}");
    }
    // The board is so large that the memory limit determines the memory needed.
    assert!(memory("2m") < memory("256M"));
    for time in ["0.1", "0.5", "1", "100ms", "1s"] {
        stdout(&["estimate", "8", "--time", time], "");
    }
}

/// Returns the memory that a count of 24 queens needs with this limit per thread.
fn memory(size: &str) -> u64 {
    let plan = stdout(
        &[
            "plan", "24", "-t", "1", "--memory", size, "--format", "json",
        ],
        "",
    );
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    plan["memory_bytes"].as_u64().expect("a number of bytes")
}

#[cfg(unix)]
#[test]
fn count_on_terminal_prompts_for_input() {
    use std::io::Write;

    use crate::program::{Running, queencount};

    for (arguments, says) in [
        (
            &["count"][..],
            "queencount: enter boards such as 8 or 8..=12, one or more per line; \
             enter 0 to finish\n",
        ),
        (&["count", "--quiet"], ""),
    ] {
        let terminal = nix::pty::openpty(None, None).expect("a pseudo-terminal");
        let mut command = queencount(arguments);
        let child = Running::piped(command.stdin(terminal.slave));
        // If the master side were closed, the terminal would disappear before its input is read.
        let mut keyboard = std::fs::File::from(terminal.master);
        keyboard.write_all(b"8\n0\n").unwrap();
        let output = child.finish();
        assert_eq!(
            (text(&output.stdout), text(&output.stderr)),
            ("92\n".to_owned(), says.to_owned())
        );
    }
}

#[test]
fn long_line_of_boards_is_read_to_its_end() {
    for spaces in [4093, 4094, 4095, 4096, 1 << 19] {
        assert_eq!(
            stdout(&["count"], &format!("8{}10 6", " ".repeat(spaces))),
            "92\n724\n4\n",
            "{spaces} spaces"
        );
    }
    let endless = run(&["count"], " ".repeat(1_500_000));
    let expected = "queencount: stdin line 1: expected at most 1048576 bytes, found more\n";
    assert_eq!(
        (endless.status.code(), text(&endless.stderr)),
        (Some(2), expected.to_owned())
    );
}
