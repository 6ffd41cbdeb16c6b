//! What versions give on inputs near those of the tests.

use crate::process::{self, Ended, Shared};
use crate::{choose, Answer};
use mend_wire::{shown, Reader, Value, Writer};
use std::cell::{Cell, RefCell};
use std::collections::hash_map::RandomState;
use std::collections::HashSet;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};

const MOST_INPUTS: usize = 40;
const MOST_KEPT: usize = 200;
const MOST_INPUT_CHARS: usize = 300;
const MOST_GIVEN_CHARS: usize = 400;
/// Of all arguments that are kept.
const MOST_BYTES: usize = 1 << 20;
/// Processor time of a call and of the tests.
const CALL_MS: u32 = 20;
const TESTS_MS: u32 = 500;
/// Inputs on which a version may break before the rest is left.
const MOST_BROKEN: usize = 12;
/// The tests run with this version to show what they call with.
const SHOWN_WITH: usize = 1;

thread_local! {
    static DEPTH: Cell<usize> = Cell::new(0);
    /// Arguments of the tests' calls, while they are kept.
    static KEPT: RefCell<Option<Vec<Vec<u8>>>> = RefCell::new(None);
}

/// Within a call of the function.
pub struct Within;

impl Drop for Within {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// Notes the arguments of a call, where the tests make it.
pub fn enter(arguments: impl FnOnce(&mut Writer)) -> Within {
    let depth = DEPTH.with(|depth| depth.replace(depth.get() + 1));
    KEPT.with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut() {
            if let Some(kept) = kept.as_mut().filter(|kept| depth == 0 && kept.len() < MOST_KEPT) {
                let mut out = Writer::default();
                arguments(&mut out);
                if out.unfit.is_none() {
                    kept.push(out.bytes);
                }
            }
        }
    });
    Within
}

#[repr(C)]
struct Given {
    count: usize,
    sizes: [usize; MOST_KEPT],
    bytes: [u8; MOST_BYTES],
}

#[repr(C)]
struct Place {
    input: usize,
    calls: bool,
}

/// Prints `near INPUT TEXT` for each input and `gave VERSION INPUT` with what a version gives on it.
/// `parameters`: their number. `numbers`: that the program compares with.
pub fn compare(count: usize, parameters: usize, numbers: &[i128], answer: Answer, tests: fn()) -> i32 {
    let out = process::quiet();
    set_hook(Box::new(|_| {}));
    // Tables that hash are the same ones in each process from here on.
    let _ = RandomState::new();
    let inputs = near(&arguments_of(parameters, tests), numbers);
    for (i, input) in inputs.iter().enumerate() {
        out.line(&format!("near {} {}", i, text_of(input)));
    }
    let place = Shared::<Place>::new();
    for version in 0..count {
        let mut from = 0;
        for _ in 0..MOST_BROKEN {
            place.clear();
            let ended = process::child(|| {
                choose(version);
                for (i, input) in inputs.iter().enumerate().skip(from) {
                    *place.of() = Place { input: i, calls: true };
                    process::allow(CALL_MS);
                    out.line(&format!("gave {} {} {}", version, i, given(answer, input)));
                }
                place.of().calls = false;
            });
            if !place.of().calls {
                break;
            }
            from = place.of().input + 1;
            let how = if ended == Ended::Late { "cut" } else { "raised" };
            out.line(&format!("gave {} {} {}", version, from - 1, how));
        }
    }
    0
}

/// What the tests call with, found in a process of its own.
fn arguments_of(parameters: usize, tests: fn()) -> Vec<Vec<Value>> {
    let given = Shared::<Given>::new();
    process::child(|| {
        choose(SHOWN_WITH);
        process::allow(TESTS_MS);
        KEPT.with(|kept| *kept.borrow_mut() = Some(Vec::new()));
        let _ = catch_unwind(tests);
        let mut size = 0;
        for one in KEPT.with(|kept| kept.borrow_mut().take()).unwrap_or_default() {
            let given = given.of();
            if size + one.len() > MOST_BYTES {
                break;
            }
            given.bytes[size..size + one.len()].copy_from_slice(&one);
            size += one.len();
            given.sizes[given.count] = one.len();
            given.count += 1;
        }
    });
    let given = given.of();
    let mut from = 0;
    let mut found = Vec::new();
    for size in &given.sizes[..given.count.min(MOST_KEPT)] {
        let mut input = Reader::new(given.bytes.get(from..from + size).unwrap_or_default());
        from += size;
        let values: Result<Vec<Value>, _> = (0..parameters).map(|_| Value::read(&mut input)).collect();
        found.extend(values);
    }
    found
}

/// As it would be written, with what it leaves of arguments that it may change.
fn given(answer: Answer, input: &[Value]) -> String {
    let bytes = bytes_of(input);
    let mut out = Writer::default();
    match catch_unwind(AssertUnwindSafe(|| answer(&mut Reader::new(&bytes), &mut out))) {
        Ok(Ok(())) if out.unfit.is_none() => {}
        Ok(Ok(())) => return "v ?".to_string(),
        _ => return "raised".to_string(),
    }
    let mut values = Reader::new(&out.bytes);
    let mut texts = Vec::new();
    while values.left() > 0 {
        match Value::read(&mut values) {
            Ok(value) => texts.push(sorted_text(&value)),
            Err(_) => return "v ?".to_string(),
        }
    }
    let text: String = texts.join(" leaves ").chars().take(MOST_GIVEN_CHARS).collect();
    format!("v {}", text.replace('\n', " "))
}

fn bytes_of(values: &[Value]) -> Vec<u8> {
    let mut out = Writer::default();
    for each in values {
        each.write(&mut out);
    }
    out.bytes
}

fn text(value: &Value) -> String {
    let bytes = bytes_of(std::slice::from_ref(value));
    shown(&mut Reader::new(&bytes), MOST_GIVEN_CHARS).unwrap_or_default()
}

/// With the pairs of a map sorted: their order has no meaning.
fn sorted_text(value: &Value) -> String {
    match value {
        Value::Map(pairs) => {
            let mut pairs = pairs.clone();
            pairs.sort_by_key(|(key, _)| text(key));
            text(&Value::Map(pairs))
        }
        other => text(other),
    }
}

fn text_of(input: &[Value]) -> String {
    format!("({})", input.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Numbers that are the same ones in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % many
    }
}

#[derive(Default)]
struct Inputs {
    found: Vec<Vec<Value>>,
    known: HashSet<String>,
}

impl Inputs {
    /// Each once.
    fn add(&mut self, input: Vec<Value>) {
        let text = text_of(&input);
        if text.len() < MOST_INPUT_CHARS && !text.contains('\n') && self.known.insert(text) {
            self.found.push(input);
        }
    }
}

fn near(given: &[Vec<Value>], numbers: &[i128]) -> Vec<Vec<Value>> {
    let usable: Vec<&Vec<Value>> =
        given.iter().filter(|one| !one.is_empty() && text_of(one).len() < MOST_INPUT_CHARS).collect();
    let mut inputs = Inputs::default();
    let mut draw = Draw(7);
    for n in 0..4 * MOST_INPUTS {
        if usable.is_empty() || inputs.found.len() >= MOST_INPUTS {
            break;
        }
        let mut one = usable[n % usable.len()].clone();
        let at = draw.below(one.len());
        one[at] = changed(&one[at], &mut draw);
        inputs.add(one);
    }
    for number in numbers.iter().flat_map(|number| [*number, number - 1, number + 1]) {
        for at in 0..usable.first().map_or(0, |first| first.len()) {
            let mut one = usable[0].clone();
            if let Some(value) = in_place_of(&one[at], number) {
                one[at] = value;
                inputs.add(one);
            }
        }
    }
    inputs.found
}

/// A number of the same type.
fn in_place_of(value: &Value, number: i128) -> Option<Value> {
    match value {
        Value::Signed(_) => Some(Value::Signed(number)),
        Value::Unsigned(_) => u128::try_from(number).ok().map(Value::Unsigned),
        Value::Double(_) => Some(Value::Double(number as f64)),
        Value::Single(_) => Some(Value::Single(number as f32)),
        _ => None,
    }
}

fn changed(value: &Value, draw: &mut Draw) -> Value {
    match value {
        Value::Signed(n) => Value::Signed([n + 1, n - 1, n + 2, -n, n * 2, 0][draw.below(6)]),
        Value::Unsigned(n) => Value::Unsigned([n + 1, n / 2, n + 2, n * 2, 0][draw.below(5)]),
        Value::Double(n) => Value::Double([n + 1.0, n - 1.0, n + 0.5, -n, n * 2.0, 0.0][draw.below(6)]),
        Value::Single(n) => Value::Single([n + 1.0, n - 1.0, n + 0.5, -n, n * 2.0, 0.0][draw.below(6)]),
        Value::Bool(is) => Value::Bool(!is),
        Value::Char(letter) => Value::Char(next_to(*letter)),
        Value::Text(text) => {
            let letters: Vec<char> = text.chars().collect();
            Value::Text(rearranged(&letters, draw, |letter, _| next_to(*letter)).into_iter().collect())
        }
        Value::Nothing => Value::Nothing,
        Value::Within(b'o', _) if draw.below(4) == 0 => Value::Nothing,
        Value::Within(tag, inner) => Value::Within(*tag, Box::new(changed(inner, draw))),
        Value::Any(name, inner) => Value::Any(name.clone(), Box::new(changed(inner, draw))),
        Value::List(items) => Value::List(rearranged(items, draw, changed)),
        Value::Tuple(items) => {
            let mut items = items.clone();
            if !items.is_empty() {
                let at = draw.below(items.len());
                items[at] = changed(&items[at], draw);
            }
            Value::Tuple(items)
        }
        Value::Map(pairs) => Value::Map(map_near(pairs, draw)),
    }
}

fn map_near(pairs: &[(Value, Value)], draw: &mut Draw) -> Vec<(Value, Value)> {
    let mut pairs = pairs.to_vec();
    pairs.sort_by_key(|(key, _)| text(key));
    let kept = pairs.into_iter().filter(|_| draw.below(5) > 0).collect::<Vec<_>>();
    kept.into_iter().map(|(key, value)| (key, changed(&value, draw))).collect()
}

fn next_to(letter: char) -> char {
    if letter.is_ascii_alphabetic() {
        return (letter as u8 ^ 32) as char;
    }
    char::from_u32(letter as u32 + 1).unwrap_or(letter)
}

fn rearranged<T: Clone>(items: &[T], draw: &mut Draw, near: impl Fn(&T, &mut Draw) -> T) -> Vec<T> {
    let mut items = items.to_vec();
    if items.is_empty() {
        return items;
    }
    let at = draw.below(items.len());
    match draw.below(9) {
        0 => drop(items.remove(at)),
        1 => items.push(items[0].clone()),
        2 => items.reverse(),
        3 => items.truncate(at),
        4 => (1..items.len()).rev().for_each(|i| items.swap(i, draw.below(i + 1))),
        _ => items[at] = near(&items[at], draw),
    }
    items
}
