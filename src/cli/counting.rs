//! The former interface of [`App`].

use std::time::Instant;

use queencount::{BoardSize, CancelToken, Counter, Engine, EngineOptions};

use super::app::App;
use super::error::Result;
use super::output::Output;
use super::supervise::supervise;
use super::ui::Ui;
use super::ui::progress::ProgressState;

pub struct Counting {
    pub resources: EngineOptions,
    pub watch: Ui,
    config: super::config::Config,
}

impl App {
    pub fn legacy(&mut self, run: impl FnOnce(&Counting, &mut Output) -> Result<()>) -> Result<()> {
        let counting = Counting {
            resources: self.config.options,
            watch: self.ui.clone(),
            config: self.config.clone(),
        };
        run(&counting, &mut self.output)
    }
}

impl Counting {
    pub fn engine_of(&self, size: BoardSize) -> Box<dyn Engine> {
        self.config.engine.build(size, self.resources)
    }

    pub fn say(&self, engine: &dyn Engine) {
        super::app::log_plan(&self.config, &self.watch, engine);
    }

    pub fn watched<T>(
        &self,
        progress: Option<&ProgressState>,
        _start: Instant,
        work: impl FnOnce(Counter<'_>, &CancelToken) -> Result<T>,
    ) -> Result<T> {
        supervise(&self.config, &self.watch, progress, |cancel| {
            let counter = Counter::default().threads(self.config.threads);
            work(counter.stop(cancel), cancel)
        })
    }
}
