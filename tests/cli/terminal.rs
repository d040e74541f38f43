//! Runs the built program in a pseudo-terminal whose screen is emulated in memory.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use nix::pty::{Winsize, openpty};

use crate::program::{Running, text};

/// A program in a terminal.
pub(crate) struct Terminal {
    pub child: Running,
    bytes: Receiver<Vec<u8>>,
    /// All bytes that have been written.
    pub raw: Vec<u8>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts the program with stdout and stderr on a terminal with this number of columns.
    pub(crate) fn start(command: &mut Command, columns: u16) -> Self {
        let size = Winsize {
            ws_row: 10,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let pair = openpty(Some(&size), None).expect("a pseudo-terminal");
        let mut master = File::from(pair.master);
        let child = Running::start(
            command
                .stdout(pair.slave.try_clone().unwrap())
                .stderr(pair.slave),
        );
        // Reading only ends when the program closes the last handles of the terminal.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = master.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            child,
            bytes,
            raw: Vec::new(),
            screen: vt100::Parser::new(10, columns, 0),
        }
    }

    /// Returns the lines of the screen that are not empty.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        while let Ok(bytes) = self.bytes.try_recv() {
            self.take(&bytes);
        }
        self.shown()
    }

    /// Writes text below the cursor's line, like a terminal that wraps the line after becoming too
    /// narrow.
    pub(crate) fn wrap(&mut self, rest: &str) {
        self.screen
            .process(format!("\x1b7\r\n{rest}\x1b8").as_bytes());
    }

    fn take(&mut self, bytes: &[u8]) {
        self.raw.extend(bytes);
        self.screen.process(bytes);
    }

    fn shown(&self) -> Vec<String> {
        let screen = self.screen.screen();
        screen
            .rows(0, screen.size().1)
            .map(|row| row.trim_end().to_owned())
            .filter(|row| !row.is_empty())
            .collect()
    }

    /// Returns the exit code and the lines that remain on the screen.
    pub(crate) fn end(mut self) -> (Option<i32>, Vec<String>) {
        let code = self.wait();
        (code, self.shown())
    }

    /// Returns the exit code and all output.
    pub(crate) fn output(mut self) -> (Option<i32>, String) {
        let code = self.wait();
        (code, text(&self.raw))
    }

    fn wait(&mut self) -> Option<i32> {
        let code = self.child.wait().unwrap().code();
        // Read to the end, because the terminal is closed now.
        while let Ok(bytes) = self.bytes.recv() {
            self.take(&bytes);
        }
        assert!(!self.screen.screen().hide_cursor(), "the cursor is back");
        code
    }
}
