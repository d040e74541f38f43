//! The program documents itself. Every command has help, a man page and completions, all generated
//! from the same arguments.

use crate::child;
use crate::program::{search_path, stdout, text};

/// Returns the commands listed by the help, and `help` itself.
pub(crate) fn commands() -> Vec<String> {
    stdout(&["--help"], "")
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .chain(["help"])
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_help_example_is_accepted() {
    let overview = format!("Examples:\n{}", stdout(&["help", "examples"], ""));
    let texts: Vec<String> = commands()
        .iter()
        .map(|command| stdout(&[command, "--help"], ""))
        .chain([overview])
        .collect();
    let lines = texts.iter().flat_map(|text| examples(text));
    let mut accepted = 0;
    for line in lines.filter(|line| line.starts_with("queencount ")) {
        // A redirection, a pipe or an explanation is not an argument.
        let words = line
            .split("  ")
            .next()
            .unwrap()
            .split(' ')
            .take_while(|word| !["<", ">", ">>", "|"].contains(word));
        let result = queencount::cli::check_arguments(words.map(Into::into));
        assert_eq!(result, Ok(()), "{line}");
        accepted += 1;
    }
    assert!(accepted > 40, "only {accepted} examples");
}

/// Returns the lines below the heading of the examples.
fn examples(help: &str) -> Vec<&str> {
    help.lines()
        .skip_while(|line| *line != "Examples:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect()
}

#[test]
fn every_command_has_man_page() {
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", "--to", folder.path().to_str().unwrap()], "");
    for command in commands() {
        let path = folder.path().join(format!("queencount-{command}.1"));
        let page = std::fs::read_to_string(path).unwrap();
        assert_eq!(page, stdout(&["man", &command], ""));
        for section in ["EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""] {
            assert!(page.contains(&format!("\n.SH {section}\n")), "{page}");
        }
    }
    let program = std::fs::read_to_string(folder.path().join("queencount.1")).unwrap();
    assert_eq!(program, stdout(&["man"], ""));
}

/// Runs `mandoc` on each page, if it is installed.
#[test]
fn man_pages_pass_mandoc_lint() {
    if child::command("mandoc").arg("-V").output().is_err() {
        assert!(!crate::common::long(), "expected mandoc, found none");
        return eprintln!("skipped: there is no mandoc here");
    }
    let folder = tempfile::tempdir().unwrap();
    stdout(&["man", "--to", folder.path().to_str().unwrap()], "");
    for page in std::fs::read_dir(&folder).unwrap() {
        let output = child::command("mandoc")
            .args(["-T", "lint", "-W", "error"])
            .arg(page.unwrap().path())
            .output()
            .unwrap();
        assert_eq!(text(&output.stdout) + &text(&output.stderr), "");
    }
}

/// Runs the commands of the help in a shell with an empty home directory.
#[test]
fn setup_commands_work_in_empty_home() {
    let path = search_path();
    let (completions, man) = (
        stdout(&["completions", "--help"], ""),
        stdout(&["man", "--help"], ""),
    );
    for lines in [examples(&completions), examples(&man)] {
        let home = tempfile::tempdir().unwrap();
        let typed = lines
            .iter()
            .filter(|line| line.starts_with("queencount ") || line.starts_with("mkdir "));
        // Only some machines have a pager for man pages, or PowerShell.
        let typed = typed.filter(|line| !line.contains("| man ") && !line.contains("powershell"));
        // A comment follows the command after two spaces.
        let typed: Vec<&str> = typed.filter_map(|line| line.split("  ").next()).collect();
        assert!(!typed.is_empty(), "{lines:?}");
        for line in typed {
            let mut shell = child::command("sh");
            let script = shell.args(["-c", line]).env("HOME", home.path());
            let output = child::finish(script.env("PATH", &path)).expect("a shell");
            assert!(
                output.status.success() && output.stderr.is_empty(),
                "{line}: {output:?}"
            );
        }
        assert!(std::fs::read_dir(&home).unwrap().count() > 0, "{lines:?}");
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("queencount.bash");
    std::fs::write(&script, stdout(&["completions", "bash"], "")).unwrap();
    for (words, completed) in [
        ("queencount verif", "verify"),
        ("queencount count --kernel portab", "portable"),
        ("queencount completions powers", "powershell"),
        ("queencount list --format list", "listing"),
        ("queencount count --format list", ""),
        ("queencount count --format j", "json"),
        ("queencount checker --for", ""),
        ("queencount help op", "options"),
        ("queencount 8 --eng", "--engine"),
        ("queencount merge --thr", ""),
        ("queencount merge --mis", "--missing"),
    ] {
        let program = format!(
            "source '{}'; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _queencount queencount \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; \
             echo \"${{COMPREPLY[*]}}\"",
            script.display()
        );
        let output = child::command("bash")
            .args(["-c", &program])
            .output()
            .expect("bash");
        assert_eq!(
            text(&output.stdout).trim(),
            completed,
            "{words}: {}",
            text(&output.stderr)
        );
    }
}

#[test]
fn completions_are_valid_in_other_shells() {
    for (shell, names) in [
        ("zsh", "#compdef queencount"),
        ("fish", "__fish_queencount_using_subcommand"),
    ] {
        let script = stdout(&["completions", shell], "");
        assert!(script.contains(names), "{shell}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        std::fs::write(&path, script).unwrap();
        match child::command(shell).arg("-n").arg(&path).output() {
            Ok(output) => assert!(output.status.success(), "{shell}: {}", text(&output.stderr)),
            Err(_) => assert!(!crate::common::long(), "expected {shell}, found none"),
        }
    }
    assert!(stdout(&["completions", "powershell"], "").contains("Register-ArgumentCompleter"));
}
