use mend_wire::shortened;
use std::cell::RefCell;
use std::panic::set_hook;

pub const MOST_CHARS: usize = 600;
const SOURCE_CHARS: usize = 220;
const MOST_LINES: usize = 12;

thread_local! {
    /// Where the tests panicked, in their own words.
    pub static TOLD: RefCell<String> = RefCell::new(String::new());
}

/// Reports the place of each panic in the tests; their file's name begins with `Tests`.
pub fn watch(text: &'static str) {
    set_hook(Box::new(move |info| {
        if let Some(place) = info.location().filter(|place| place.file().starts_with("Tests")) {
            let source = source(text, place.line() as usize);
            let _ = TOLD.try_with(|told| *told.borrow_mut() = source);
        }
    }));
}

/// `line 5: assert_eq!(f(1), 2);`, with the lines that its brackets go on in.
fn source(text: &str, number: usize) -> String {
    let mut whole = String::new();
    for line in text.lines().skip(number - 1).take(MOST_LINES) {
        whole += line;
        whole += " ";
        let count = |of: &[char]| whole.chars().filter(|each| of.contains(each)).count();
        if count(&['(', '[', '{']) <= count(&[')', ']', '}']) {
            break;
        }
    }
    let told = shortened(&whole, SOURCE_CHARS);
    format!("line {}: {}", number, told.trim_end_matches(|each| each == ';' || each == ','))
}

pub fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).map(|part| part.to_string()).collect::<Vec<_>>().join("; ")
}

pub fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for each in text.chars() {
        match each {
            '"' | '\\' => out.extend(['\\', each]),
            _ if (each as u32) < 0x20 || each as u32 == 0x7f => out += &format!("\\u{:04x}", each as u32),
            _ => out.push(each),
        }
    }
    out + "\""
}
