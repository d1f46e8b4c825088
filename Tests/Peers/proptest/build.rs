//! Tells the program which proptest it is built with: Debian decides that, not Cargo.toml.
use std::{env, fs, path::Path};

fn main() {
    let folder = env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder");
    let path = Path::new(&folder).join("Cargo.lock");
    let lock = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; cargo writes it before it builds", path.display()));
    let version = lock
        .split("[[package]]")
        .find(|package| package.contains("name = \"proptest\"\n"))
        .and_then(|package| package.split("version = \"").nth(1))
        .and_then(|rest| rest.split('"').next())
        .unwrap_or_else(|| panic!("{}: names no version of proptest", path.display()));
    println!("cargo:rustc-env=PROPTEST_VERSION={version}");
    println!("cargo:rerun-if-changed={}", path.display());
}
