use crate::{Reader, Writer, Wrong};

const MOST_DEPTH: usize = 100;

/// A value whose Rust type is not known here.
#[derive(Clone)]
pub enum Value {
    Signed(i128),
    Unsigned(u128),
    Double(f64),
    Single(f32),
    Bool(bool),
    Char(char),
    Text(String),
    Nothing,
    /// By its tag: what `Some`, `Ok` or `Err` holds.
    Within(u8, Box<Value>),
    /// With the name of its type.
    Any(String, Box<Value>),
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

impl Value {
    pub fn read(input: &mut Reader) -> Result<Value, Wrong> {
        read(input, 0)
    }

    pub fn write(&self, out: &mut Writer) {
        match self {
            Value::Signed(value) => out.signed(*value),
            Value::Unsigned(value) => out.unsigned(*value),
            Value::Double(value) => crate::Put::put(value, out),
            Value::Single(value) => crate::Put::put(value, out),
            Value::Bool(value) => crate::Put::put(value, out),
            Value::Char(value) => crate::Put::put(value, out),
            Value::Text(text) => out.text(text),
            Value::Nothing => out.tag(b'n'),
            Value::Within(tag, inner) => {
                out.tag(*tag);
                inner.write(out);
            }
            Value::Any(name, inner) => {
                out.tag(b'a');
                out.text(name);
                inner.write(out);
            }
            Value::List(items) => several(out, b'l', items),
            Value::Tuple(items) => several(out, b't', items),
            Value::Map(pairs) => {
                out.count(b'm', pairs.len());
                for (key, value) in pairs {
                    key.write(out);
                    value.write(out);
                }
            }
        }
    }
}

fn several(out: &mut Writer, tag: u8, items: &[Value]) {
    out.count(tag, items.len());
    for each in items {
        each.write(out);
    }
}

fn read(input: &mut Reader, depth: usize) -> Result<Value, Wrong> {
    if depth > MOST_DEPTH {
        return Err(Wrong::Malformed);
    }
    let inner = |input: &mut Reader| read(input, depth + 1).map(Box::new);
    Ok(match input.tag()? {
        b'i' => Value::Signed(input.wide()? as i128),
        b'u' => Value::Unsigned(input.wide()?),
        b'f' => Value::Double(f64::from_bits(input.bits()?)),
        b'g' => Value::Single(f32::from_bits(input.word()?)),
        b'b' => Value::Bool(input.tag()? != 0),
        b'c' => Value::Char(char::from_u32(input.word()?).ok_or(Wrong::Malformed)?),
        b's' => Value::Text(input.text_of()?.to_string()),
        b'n' => Value::Nothing,
        tag @ (b'o' | b'k' | b'e') => Value::Within(tag, inner(input)?),
        b'a' => Value::Any(input.text()?.to_string(), inner(input)?),
        b'l' => Value::List(items(input, depth)?),
        b't' => Value::Tuple(items(input, depth)?),
        b'm' => {
            let count = count(input)?;
            let mut pairs = Vec::new();
            for _ in 0..count {
                pairs.push((read(input, depth + 1)?, read(input, depth + 1)?));
            }
            Value::Map(pairs)
        }
        _ => return Err(Wrong::Malformed),
    })
}

/// Each takes a byte at least.
fn count(input: &mut Reader) -> Result<usize, Wrong> {
    let count = input.word()? as usize;
    if count > input.left() {
        return Err(Wrong::Malformed);
    }
    Ok(count)
}

fn items(input: &mut Reader, depth: usize) -> Result<Vec<Value>, Wrong> {
    (0..count(input)?).map(|_| read(input, depth + 1)).collect()
}
