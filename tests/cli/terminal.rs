//! Running the built program in a pseudo-terminal: what it writes there is drawn on a screen in
//! memory.

use std::fs::File;
use std::io::Read;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use nix::pty::{Winsize, openpty};

use crate::program::{Running, text};

/// A program in a terminal.
pub struct Terminal {
    pub child: Running,
    bytes: Receiver<Vec<u8>>,
    /// All that has been written.
    pub raw: Vec<u8>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts the program with its standard output and error on a terminal with this number of
    /// columns.
    pub fn start(mut command: Command, columns: u16) -> Self {
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
        // The reading ends only if the program has the last open ends of the terminal.
        drop(command);
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

    /// The lines of the screen with something on them.
    pub fn lines(&mut self) -> Vec<String> {
        while let Ok(bytes) = self.bytes.try_recv() {
            self.take(&bytes);
        }
        self.shown()
    }

    /// Shows this below the cursor's line, as a terminal does that becomes too narrow for the line
    /// and wraps it.
    pub fn wrap(&mut self, rest: &str) {
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

    /// The exit code, and the lines that stay on the screen.
    pub fn end(mut self) -> (Option<i32>, Vec<String>) {
        let code = self.wait();
        (code, self.shown())
    }

    /// The exit code, and all that has been written.
    pub fn output(mut self) -> (Option<i32>, String) {
        let code = self.wait();
        (code, text(&self.raw))
    }

    fn wait(&mut self) -> Option<i32> {
        let code = self.child.wait().unwrap().code();
        // To the end of the terminal, which nobody holds open any more.
        while let Ok(bytes) = self.bytes.recv() {
            self.take(&bytes);
        }
        assert!(!self.screen.screen().hide_cursor(), "the cursor is back");
        code
    }
}
