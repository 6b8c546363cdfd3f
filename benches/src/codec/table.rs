//! Tables that line up, and figures below them.

use std::io::{self, Write as _};

use super::Failure;
use crate::Figure;

/// Where tables and figures go.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// One JSON object per figure, and no tables.
    pub json: bool,
}

impl Output {
    /// Prints a figure.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn figure(self, figure: &Figure) -> Result<(), Failure> {
        figure.print(self.json).map_err(Failure::Output)
    }

    /// Prints figures.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn figures(self, figures: &[Figure]) -> Result<(), Failure> {
        figures.iter().try_for_each(|figure| self.figure(figure))
    }

    /// Prints what only people read.
    ///
    /// # Errors
    /// When the output is closed.
    pub fn text(self, text: &str) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{text}")
            .and_then(|()| out.flush())
            .map_err(Failure::Output)
    }
}

/// A table: a heading, and rows of a name and cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Option<Vec<String>>>,
}

impl Table {
    /// A table with the headings of its columns, the first one above the names.
    pub fn new<T: Into<String>>(headings: impl IntoIterator<Item = T>) -> Self {
        let mut table = Table::default();
        table.row(headings);
        table.line();
        table
    }

    /// Adds a row: a name and its cells.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let cells = cells.into_iter().map(Into::into).collect();
        self.rows.push(Some(cells));
    }

    /// Adds a line across.
    pub fn line(&mut self) {
        self.rows.push(None);
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cells = || self.rows.iter().flatten();
        let columns = cells().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let wide = |row: &Vec<String>| row.get(column).map_or(0, |it| it.chars().count());
            cells().map(wide).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let whole = widths.iter().sum::<usize>() + 3 * columns.saturating_sub(1);
        for row in &self.rows {
            let Some(row) = row else {
                writeln!(f, "{}", "─".repeat(whole))?;
                continue;
            };
            let mut line = String::new();
            for (place, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                line += &if place == 0 {
                    format!("{cell:<width$}")
                } else {
                    format!("   {cell:>width$}")
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["", "kart"]);
        table.row(["raw", "14,400"]);
        assert_eq!(
            table.to_string(),
            "        kart\n────────────\nraw   14,400\n"
        );
    }
}
