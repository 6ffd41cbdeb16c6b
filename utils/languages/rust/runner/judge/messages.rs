use mend_wire::Channel;
use std::cell::Cell;
use std::panic::set_hook;

const SUPERVISOR: i32 = 3;
const MOST_CHARS: usize = 2000;

thread_local! {
    /// The line of the tests in which the last panic was; 0 for none.
    pub static LINE: Cell<u32> = Cell::new(0);
}

/// Notes the place of each panic in the tests; their file's name begins with `Tests`.
pub fn watch() {
    set_hook(Box::new(|info| {
        if let Some(place) = info.location().filter(|place| place.file().starts_with("Tests")) {
            let _ = LINE.try_with(|line| line.set(place.line()));
        }
    }));
}

/// Says a verdict by the fields of `supervision/outcome.py`.
pub fn send(fields: &[&str]) {
    let told: Vec<String> = fields.iter().map(|field| sent(field)).collect();
    Channel::new(SUPERVISOR).send(told.join("\0").as_bytes());
}

/// Head and tail of what is long.
fn sent(field: &str) -> String {
    let chars: Vec<char> = field.replace('\0', " ").chars().collect();
    let half = MOST_CHARS / 2;
    if chars.len() <= MOST_CHARS {
        return chars.into_iter().collect();
    }
    chars[..half].iter().chain(&chars[chars.len() - half..]).collect()
}
