//! Workload S in proptest; README.md one folder up says what it is and how it is counted.
//!
//! Every map is a `HashMap` with its usual hasher, the plain dictionary of Rust; with `--arrays` those of what is
//! tested are arrays.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const KEYS: u8 = 16;
const VALUES: i64 = 1000;
const STEPS: usize = 100;

/// proptest's own default. The clock is read between runs of so many cases.
const CASES: u32 = 256;

const USAGE: &str = "usage: peer-proptest [--seconds N] [--seed N] [--arrays] [--break]";

#[derive(Clone, Copy, Debug)]
enum Operation {
    Put(u8, i64),
    Get(u8),
    Delete(u8),
    Save,
    Rollback,
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Operation::Put(key, value) => write!(out, "put({key}, {value})"),
            Operation::Get(key) => write!(out, "get({key})"),
            Operation::Delete(key) => write!(out, "delete({key})"),
            Operation::Save => write!(out, "save()"),
            Operation::Rollback => write!(out, "rollback()"),
        }
    }
}

/// What is tested: a parent map, and above it a child that holds changes only.
trait Overlay: Default {
    /// The bug of `--break`: a rollback keeps the deletions.
    fn keep_deletions(&mut self);
    fn get(&self, key: u8) -> Option<i64>;
    fn put(&mut self, key: u8, value: i64);
    fn delete(&mut self, key: u8);
    fn save(&mut self);
    fn rollback(&mut self);
    /// Whether the child shows just what is in `shown`.
    fn agrees(&self, shown: &HashMap<u8, i64>) -> bool;
}

#[derive(Default)]
struct Maps {
    parent: HashMap<u8, i64>,
    /// A deletion is recorded as `None`, or the parent's value would show through.
    changes: HashMap<u8, Option<i64>>,
    keeps_deletions_on_rollback: bool,
}

impl Overlay for Maps {
    fn keep_deletions(&mut self) {
        self.keeps_deletions_on_rollback = true;
    }

    fn get(&self, key: u8) -> Option<i64> {
        match self.changes.get(&key) {
            Some(change) => *change,
            None => self.parent.get(&key).copied(),
        }
    }

    fn put(&mut self, key: u8, value: i64) {
        self.changes.insert(key, Some(value));
    }

    fn delete(&mut self, key: u8) {
        self.changes.insert(key, None);
    }

    fn save(&mut self) {
        for (key, change) in self.changes.drain() {
            match change {
                Some(value) => self.parent.insert(key, value),
                None => self.parent.remove(&key),
            };
        }
    }

    fn rollback(&mut self) {
        if self.keeps_deletions_on_rollback {
            self.changes.retain(|_, change| change.is_none());
        } else {
            self.changes.clear();
        }
    }

    fn agrees(&self, shown: &HashMap<u8, i64>) -> bool {
        (0..KEYS).all(|key| self.get(key) == shown.get(&key).copied())
    }
}

/// As one would write it for so few keys.
#[derive(Default)]
struct Arrays {
    parent: [Option<i64>; KEYS as usize],
    /// As in `Maps`; `None` is a key that was not changed.
    changes: [Option<Option<i64>>; KEYS as usize],
    keeps_deletions_on_rollback: bool,
}

impl Overlay for Arrays {
    fn keep_deletions(&mut self) {
        self.keeps_deletions_on_rollback = true;
    }

    fn get(&self, key: u8) -> Option<i64> {
        self.changes[key as usize].unwrap_or(self.parent[key as usize])
    }

    fn put(&mut self, key: u8, value: i64) {
        self.changes[key as usize] = Some(Some(value));
    }

    fn delete(&mut self, key: u8) {
        self.changes[key as usize] = Some(None);
    }

    fn save(&mut self) {
        for (held, change) in self.parent.iter_mut().zip(self.changes.iter_mut()) {
            if let Some(value) = change.take() {
                *held = value;
            }
        }
    }

    fn rollback(&mut self) {
        for change in self.changes.iter_mut() {
            if !self.keeps_deletions_on_rollback || *change != Some(None) {
                *change = None;
            }
        }
    }

    fn agrees(&self, shown: &HashMap<u8, i64>) -> bool {
        shown.iter().all(|(&key, &value)| self.get(key) == Some(value))
            && (0..KEYS).filter(|&key| self.get(key).is_some()).count() == shown.len()
    }
}

/// The overlay beside plain maps of what its child must show and what its parent must hold.
#[derive(Default)]
struct Compared<Tested> {
    overlay: Tested,
    shown: HashMap<u8, i64>,
    held: HashMap<u8, i64>,
}

impl<Tested: Overlay> Compared<Tested> {
    /// One step. False if the overlay differs from the plain maps after it.
    fn step(&mut self, operation: Operation) -> bool {
        match operation {
            Operation::Put(key, value) => {
                self.overlay.put(key, value);
                self.shown.insert(key, value);
            }
            Operation::Get(key) => {
                if self.overlay.get(key) != self.shown.get(&key).copied() {
                    return false;
                }
            }
            Operation::Delete(key) => {
                self.overlay.delete(key);
                self.shown.remove(&key);
            }
            Operation::Save => {
                self.overlay.save();
                self.held.clone_from(&self.shown);
            }
            Operation::Rollback => {
                self.overlay.rollback();
                self.shown.clone_from(&self.held);
            }
        }
        self.overlay.agrees(&self.shown)
    }
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    // `prop_oneof!` of a strategy for each kind would read better, but makes the whole half as fast.
    let operation = (0..5_u8, 0..KEYS, 0..VALUES).prop_map(|(kind, key, value)| match kind {
        0 => Operation::Get(key),
        1 => Operation::Put(key, value),
        2 => Operation::Delete(key),
        3 => Operation::Save,
        _ => Operation::Rollback,
    });
    vec(operation, STEPS)
}

struct Options {
    seconds: f64,
    seed: u64,
    arrays: bool,
    breaks: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options { seconds: 5.0, seed: 1, arrays: false, breaks: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seconds" => {
                let text = words.next().ok_or("--seconds: names no number; write --seconds 5")?;
                options.seconds = text
                    .parse()
                    .ok()
                    .filter(|&seconds: &f64| seconds > 0.0 && seconds <= 86400.0)
                    .ok_or(format!("--seconds {text}: not a number above 0 and up to 86400"))?;
            }
            "--seed" => {
                let text = words.next().ok_or("--seed: names no number; write --seed 1")?;
                options.seed = text
                    .parse()
                    .map_err(|_| format!("--seed {text}: not a whole number from 0 to {}", u64::MAX))?;
            }
            "--arrays" => options.arrays = true,
            "--break" => options.breaks = true,
            _ => return Err(format!("{word}: no such option")),
        }
    }
    Ok(options)
}

/// A generator of random numbers of its own for each run of `CASES` cases.
fn random(seed: u64, run: u64) -> TestRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&run.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.arrays {
        measure::<Arrays>("proptest with arrays", &options)
    } else {
        measure::<Maps>("proptest", &options)
    }
}

/// Until the time is over, or something fails.
fn measure<Tested: Overlay>(tool: &str, options: &Options) -> ExitCode {
    let config = Config {
        cases: CASES,
        failure_persistence: None,
        // No shrinking: a list of a fixed length gets no shorter.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let cases = Cell::new(0_u64);
    let steps = Cell::new(0_u64);
    let limit = Duration::from_secs_f64(options.seconds);
    let start = Instant::now();
    let strategy = operations();
    let mut run = 0;
    while start.elapsed() < limit {
        let mut runner = TestRunner::new_with_rng(config.clone(), random(options.seed, run));
        let result = runner.run(&strategy, |operations| {
            let mut compared = Compared::<Tested>::default();
            if options.breaks {
                compared.overlay.keep_deletions();
            }
            cases.set(cases.get() + 1);
            for (index, &operation) in operations.iter().enumerate() {
                steps.set(steps.get() + 1);
                if !compared.step(operation) {
                    let done: Vec<String> =
                        operations[..=index].iter().map(|operation| format!("\"{operation}\"")).collect();
                    return Err(TestCaseError::fail(done.join(",")));
                }
            }
            Ok(())
        });
        match result {
            Ok(()) => run += 1,
            Err(TestError::Fail(done, _)) => {
                println!(
                    "{{\"tool\":\"{tool}\",\"version\":\"{}\",\"failure\":[{done}]}}",
                    env!("PROPTEST_VERSION")
                );
                return ExitCode::from(1);
            }
            Err(TestError::Abort(reason)) => {
                eprintln!("proptest gave up: {reason}");
                return ExitCode::from(3);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"tool\":\"{tool}\",\"version\":\"{}\",\"cases\":{},\"steps\":{},\"seconds\":{seconds:.3},\"stepsPerSecond\":{:.0}}}",
        env!("PROPTEST_VERSION"),
        cases.get(),
        steps.get(),
        steps.get() as f64 / seconds
    );
    ExitCode::SUCCESS
}
