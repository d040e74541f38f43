//! The documents are consistent: links lead to existing files and headings, and named files exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Returns the documents without their code blocks, by path.
fn documents() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .canonicalize()
        .unwrap();
    let mut documents = BTreeMap::new();
    for folder in ["", "docs", "proof", "python", "src/engine/rows"] {
        for entry in root.join(folder).read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = std::fs::read_to_string(&path).unwrap();
                documents.insert(path, text.split("\n```").step_by(2).collect());
            }
        }
    }
    documents
}

/// Returns each piece of text between `before` and `after`.
fn between<'a>(text: &'a str, before: &'a str, after: char) -> impl Iterator<Item = &'a str> {
    text.split(before)
        .skip(1)
        .filter_map(move |rest| rest.split_once(after))
        .map(|(inner, _)| inner)
}

/// Returns the anchors of a document's headings, by GitHub's rules.
fn anchors(document: &str) -> BTreeSet<String> {
    document
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|heading| {
            heading
                .trim_start_matches('#')
                .trim()
                .to_lowercase()
                .replace(|c: char| !(c.is_alphanumeric() || "-_ ".contains(c)), "")
                .replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_point_to_existing_files_and_headings() {
    let documents = documents();
    let mut links = 0;
    for (name, text) in &documents {
        for link in between(text, "](", ')')
            .chain(between(text, "src=\"", '"'))
            .filter(|link| !link.contains("://"))
        {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => name.clone(),
                path => name
                    .with_file_name(path)
                    .canonicalize()
                    .unwrap_or_else(|error| panic!("{} links to {link}: {error}", name.display())),
            };
            if !anchor.is_empty() {
                let headings = anchors(documents.get(&target).expect("an anchor of a document"));
                assert!(
                    headings.contains(anchor),
                    "{} links to {link}, found {headings:?}",
                    name.display()
                );
            }
            links += 1;
        }
    }
    assert!(links > 30, "{links} links");
}

#[test]
fn named_files_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [
        "src/",
        "tests/",
        "docs/",
        "benches/",
        "examples/",
        "scripts/",
        "python/",
        ".ci/",
    ];
    let mut named = 0;
    for (name, text) in &documents() {
        for words in text.split('`').skip(1).step_by(2) {
            let path = words
                .split(char::is_whitespace)
                .next()
                .expect("a first word");
            // NAME is a placeholder.
            if folders.iter().any(|folder| path.starts_with(folder)) && !path.contains("NAME") {
                assert!(
                    root.join(path).exists(),
                    "{} names `{words}`, expected a file {path}",
                    name.display()
                );
                named += 1;
            }
        }
    }
    assert!(named > 30, "{named} files");
}

#[test]
fn readme_has_at_most_100_lines() {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    assert!(
        readme.lines().count() <= 100,
        "{} lines, expected at most 100",
        readme.lines().count()
    );
}
