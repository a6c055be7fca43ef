//! The lines of one file's forms, generated while the file is read.

use std::io;

use otp_specs::ast::{Entry, FormKind};
use otp_specs::{json, print};

use crate::args::FormsFormat;
use crate::report::visible;

/// The number of bytes of a write.
const AT_ONCE: usize = 64 << 10;

/// Buffered lines, which are written in large blocks.
pub(super) struct Lines<'a> {
    format: FormsFormat,
    /// The file name from the command line.
    file: &'a str,
    /// Lines of JSON contain the module's name. Until it is known, they are kept.
    module: Option<String>,
    /// The file of the last lines of Erlang.
    current: String,
    text: String,
    write: &'a mut dyn FnMut(&str) -> io::Result<()>,
    written: io::Result<()>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(
        format: FormsFormat,
        file: &'a str,
        write: &'a mut dyn FnMut(&str) -> io::Result<()>,
    ) -> Self {
        Self {
            format,
            file,
            module: None,
            current: String::new(),
            text: String::new(),
            write,
            written: Ok(()),
        }
    }

    pub(super) fn push(&mut self, entry: &Entry) {
        match self.format {
            FormsFormat::AbstractJson => self.push_json(entry),
            FormsFormat::Erlang => self.push_erlang(entry),
        }
        let may_be_written = self.format == FormsFormat::Erlang || self.module.is_some();
        if may_be_written && self.text.len() >= AT_ONCE {
            self.flush();
        }
    }

    fn push_json(&mut self, entry: &Entry) {
        if let FormKind::Module(name) = &entry.form.kind
            && self.module.is_none()
        {
            self.name(name);
        }
        json::line(&mut self.text, self.file, self.module.as_deref(), entry);
    }

    /// Inserts the module's name into the lines so that all of them have it.
    fn name(&mut self, module: &str) {
        let nameless = json::line_start(self.file, None);
        let named = json::line_start(self.file, Some(module));
        self.module = Some(module.to_owned());
        if self.format == FormsFormat::AbstractJson && !self.text.is_empty() {
            let lines = self.text.lines();
            let rests = lines.map(|line| line.strip_prefix(&nameless).unwrap_or(line));
            self.text = rests.map(|rest| format!("{named}{rest}\n")).collect();
        }
    }

    /// Appends a form and the module's name as Erlang. A comment names the file of the form.
    fn push_erlang(&mut self, entry: &Entry) {
        if let FormKind::Export(_) | FormKind::ExportAll | FormKind::Behaviour(_) = entry.form.kind
        {
            return;
        }
        let file = if entry.in_main_file {
            self.file
        } else {
            entry.file.as_str()
        };
        if file != self.current {
            self.text.push_str(&format!("%% {}\n", visible(file)));
            file.clone_into(&mut self.current);
        }
        self.text.push_str(&print::form(&entry.form));
        self.text.push('\n');
    }

    fn flush(&mut self) {
        // After a write that failed, further writes would fail as well.
        if self.written.is_ok() {
            self.written = (self.write)(&self.text);
        }
        self.text.clear();
    }

    /// Writes the remaining forms of `module`. A documentation chunk has its name, but no form with
    /// it.
    pub(super) fn finish(mut self, module: Option<&str>) -> io::Result<()> {
        if let (None, Some(module)) = (&self.module, module) {
            self.name(module);
        }
        self.flush();
        self.written
    }
}
