//! Rows as lists of fields.

use std::time::Duration;

use queencount::Solution;

use super::{Form, Output};
use crate::cli::exit::OrExit;

impl Output {
    pub fn form(&self) -> Form {
        self.format()
    }

    pub fn fields(&mut self, fields: &[Field]) -> OrExit<()> {
        if self.form() == Form::Json {
            return self.text(object(fields) + "\n");
        }
        let values: Vec<String> = fields.iter().map(|(_, value)| value.csv()).collect();
        if !self.has_header {
            self.head(&fields.iter().map(|(name, _)| *name).collect::<Vec<&str>>())?;
        }
        self.text(values.join(",") + "\n")
    }

    pub fn head(&mut self, names: &[&str]) -> OrExit<()> {
        self.has_header = true;
        self.text(names.join(",") + "\n")
    }
}

#[allow(dead_code)]
pub enum Value {
    /// A number that fits every reader.
    Number(u64),
    /// A number of solutions.
    Count(u128),
    Seconds(Duration),
    /// A number that is known only roughly.
    Real(f64),
    Text(String),
    Nothing,
    Truth(bool),
    /// Solutions: their columns, counted from 1.
    Solutions(Vec<Solution>),
    /// Several values. CSV has no such thing.
    List(Vec<Value>),
    /// Fields within a field. CSV has no such thing.
    Object(Vec<Field>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A field of a result: its name and its value.
pub type Field = (&'static str, Value);

fn object(fields: &[Field]) -> String {
    let members = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{}", value.json()));
    format!("{{{}}}", members.collect::<Vec<String>>().join(","))
}

impl Value {
    fn json(&self) -> String {
        match self {
            Self::Count(count) => format!("\"{count}\""),
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Real(number) => serde_json::Value::from(*number).to_string(),
            Self::Nothing => "null".to_owned(),
            Self::Solutions(solutions) => {
                let solutions: Vec<String> = solutions
                    .iter()
                    .map(|solution| format!("[{}]", solution.to_string().replace(' ', ",")))
                    .collect();
                format!("[{}]", solutions.join(","))
            }
            Self::List(values) => format!(
                "[{}]",
                values
                    .iter()
                    .map(Self::json)
                    .collect::<Vec<String>>()
                    .join(",")
            ),
            Self::Object(fields) => object(fields),
            plain => plain.csv(),
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Seconds(time) => format!("{:.6}", time.as_secs_f64()),
            Self::Real(number) => format!("{number:e}"),
            Self::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Self::Text(text) => text.clone(),
            Self::Nothing => String::new(),
            Self::Truth(truth) => truth.to_string(),
            Self::Solutions(solutions) => solutions
                .iter()
                .map(Solution::to_string)
                .collect::<Vec<String>>()
                .join(";"),
            Self::List(_) | Self::Object(_) => Self::Text(self.json()).csv(),
        }
    }
}
