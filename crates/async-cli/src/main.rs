//! The command `gf-async`.

use std::process::ExitCode;

fn main() -> ExitCode {
    async_cli::main(std::env::args_os())
}
