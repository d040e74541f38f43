//! The promise: the program introduces itself: every command has its help, its page in the manual and its completions,
//! and all of them are made from the same arguments.

use std::process::Command;

use crate::program::{run, stdout, text};

/// The commands, as the short help lists them.
fn commands() -> Vec<String> {
    let help = stdout(&["-h"], "");
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

#[test]
fn every_command_has_help_with_examples() {
    let commands = commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in &commands {
        let short = stdout(&[command, "-h"], "");
        let long = stdout(&[command, "--help"], "");
        assert!(short.contains("Usage: queencount ") && !short.contains("Examples:"), "{short}");
        assert!(long.contains(&format!("Examples:\n  queencount {command}")), "{long}");
    }
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stdout(&["man", folder.path().to_str().unwrap()], ""), "");
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    for command in commands() {
        let page = page(&format!("queencount-{command}.1"));
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""] {
            assert!(page.contains(&format!("\n.SH {section}\n")), "{command}, {section}");
        }
    }
    let program = page("queencount.1");
    assert_eq!(program, stdout(&["man"], ""));
    assert!(program.contains(".TH QUEENCOUNT 1 \"\" \"queencount "));
    let output = run(&["man", folder.path().join("nowhere").to_str().unwrap()], "");
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
    assert!(text(&output.stderr).starts_with("queencount: cannot write "), "{output:?}");
}

#[test]
fn help_manual_and_readme_tell_the_same_exit_codes() {
    let help = stdout(&["--help"], "");
    let (_, codes) = help.split_once("Exit codes:\n").expect("a list of exit codes");
    let manual = stdout(&["man"], "").replace('\\', "");
    let readme = include_str!("../../README.md");
    let mut found = 0;
    for line in codes.lines() {
        let (code, meaning) = line.trim().split_once("  ").expect("a code and its meaning");
        let meaning = meaning.trim();
        assert!(manual.contains(meaning), "{meaning}");
        assert!(readme.contains(&format!("| {code} | {meaning} |")), "the README on {code}");
        found += 1;
    }
    assert_eq!(found, 7);
}

#[test]
fn bash_completes_commands_options_and_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("queencount.bash");
    std::fs::write(&script, stdout(&["completions", "bash"], "")).unwrap();
    for (words, completed) in [
        ("queencount verif", "verify"),
        ("queencount count --kernel portab", "portable"),
        ("queencount run --shar", "--shard"),
        ("queencount completions powers", "powershell"),
    ] {
        let program = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _queencount queencount \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[*]}}\"",
            script.display()
        );
        let output = Command::new("bash").args(["-c", &program]).output().expect("bash");
        assert_eq!(text(&output.stdout).trim(), completed, "{words}: {}", text(&output.stderr));
    }
}

#[test]
fn other_shells_understand_their_completions() {
    for (shell, names) in [("zsh", "#compdef queencount"), ("fish", "complete -c queencount")] {
        let script = stdout(&["completions", shell], "");
        assert!(script.contains(names), "{shell}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        std::fs::write(&path, script).unwrap();
        // Few machines have them all.
        if let Ok(output) = Command::new(shell).arg("-n").arg(&path).output() {
            assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
        }
    }
    assert!(stdout(&["completions", "powershell"], "").contains("Register-ArgumentCompleter"));
}
