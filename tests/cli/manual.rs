//! The program documents itself. Every command has help, a man page and completions, all generated
//! from the same arguments.

use std::collections::BTreeSet;

use tempfile::TempDir;

use crate::common::child;
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

/// Returns the long options explained by a help text. Each is at the beginning of a line, possibly
/// after a short option.
fn options(help: &str) -> BTreeSet<&str> {
    help.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with('-'))
        .filter_map(|line| {
            line.split([' ', ',', '['])
                .find(|word| word.starts_with("--"))
        })
        .collect()
}

/// Returns the long options explained by a man page, and its sections.
fn page_contents(page: &str) -> (BTreeSet<&str>, Vec<&str>) {
    let sections = page
        .lines()
        .filter_map(|line| line.strip_prefix(".SH "))
        .collect();
    // The line below .TP is the term that is explained: an option in bold and its value.
    let names = page
        .split(".TP\n")
        .skip(1)
        .filter_map(|entry| entry.lines().next())
        .flat_map(|term| {
            term.split("\\fB")
                .skip(1)
                .filter_map(|bold| bold.split("\\fR").next())
        });
    (
        names.filter(|name| name.starts_with("--")).collect(),
        sections,
    )
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

/// Returns a man page. In roff, a hyphen that must not become a dash is written \-.
fn page(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name))
        .unwrap()
        .replace("\\-", "-")
}

#[test]
fn every_command_has_man_page_with_its_options() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        stdout(&["man", "--to", folder.path().to_str().unwrap()], ""),
        ""
    );
    for command in commands() {
        let page = page(&folder, &format!("queencount-{command}.1"));
        let (explained, sections) = page_contents(&page);
        let help = stdout(&[&command, "--help"], "");
        assert_eq!(explained, options(&help), "{command}");
        let own = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"];
        let groups: Vec<&str> = [
            ("Counting options", "\"COUNTING OPTIONS\""),
            ("Progress and messages", "\"PROGRESS AND MESSAGES\""),
        ]
        .into_iter()
        .filter_map(|(group, section)| help.contains(group).then_some(section))
        .collect();
        let rest = ["EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""];
        assert_eq!(sections, [&own[..], &groups, &rest].concat(), "{command}");
    }
    let program = page(&folder, "queencount.1");
    assert_eq!(program, stdout(&["man"], "").replace("\\-", "-"));
    let count = stdout(&["man", "count"], "").replace("\\-", "-");
    assert_eq!(page(&folder, "queencount-count.1"), count);
    let shared = stdout(&["help", "options"], "");
    assert_eq!(
        page_contents(&program).0,
        &options(&shared) | &BTreeSet::from(["--help", "--version"])
    );
    let title = program
        .lines()
        .find(|line| line.starts_with(".TH QUEENCOUNT 1 20"))
        .expect("a title");
    assert!(
        title.contains(&format!(" \"queencount {}\"", env!("CARGO_PKG_VERSION"))),
        "{title}"
    );
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
fn help_manual_and_reference_list_same_exit_codes() {
    let codes = stdout(&["help", "exit-codes"], "");
    // Man pages wrap lines, so the text is compared without line breaks.
    let manual = stdout(&["man"], "").replace('\\', "").replace('\n', " ");
    let reference = include_str!("../../docs/reference.md").replace("\n  ", " ");
    let mut found = 0;
    for line in codes.lines() {
        let (code, meaning) = line
            .trim()
            .split_once("  ")
            .expect("a code and its meaning");
        let meaning = meaning.trim();
        assert!(manual.contains(meaning), "{meaning}");
        assert!(
            reference.contains(&format!("\n- {code}: {meaning}\n")),
            "the reference on {code}"
        );
        found += 1;
    }
    assert_eq!(found, 8);
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
        (
            "fish",
            "using_subcommand completions\" -f -a \"bash elvish fish ",
        ),
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
