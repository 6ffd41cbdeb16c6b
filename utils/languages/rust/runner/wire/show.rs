use crate::{Reader, Wrong};

const MOST_DEPTH: usize = 100;

/// The next value as Rust's source has it; what is behind `most` bytes is not written.
pub fn shown(input: &mut Reader, most: usize) -> Result<String, Wrong> {
    let mut out = String::new();
    show(input, &mut out, 4 * most, 0)?;
    Ok(out)
}

fn show(input: &mut Reader, out: &mut String, most: usize, depth: usize) -> Result<(), Wrong> {
    if depth > MOST_DEPTH {
        return Err(Wrong::Malformed);
    }
    match input.tag()? {
        b'i' => write(out, most, &(input.wide()? as i128).to_string()),
        b'u' => write(out, most, &input.wide()?.to_string()),
        b'f' => write(out, most, &format!("{:?}", f64::from_bits(input.bits()?))),
        b'g' => write(out, most, &format!("{:?}", f32::from_bits(input.word()?))),
        b'b' => write(out, most, if input.tag()? == 0 { "false" } else { "true" }),
        b'c' => write(out, most, &format!("{:?}", char::from_u32(input.word()?).ok_or(Wrong::Malformed)?)),
        b's' => {
            let text = input.text_of()?;
            let cut = text.char_indices().nth(most).map_or(text, |(at, _)| &text[..at]);
            write(out, most, &format!("{:?}", cut));
        }
        b'n' => write(out, most, "None"),
        b'o' => within(input, out, most, depth, "Some")?,
        b'k' => within(input, out, most, depth, "Ok")?,
        b'e' => within(input, out, most, depth, "Err")?,
        b'a' => {
            input.text()?;
            show(input, out, most, depth + 1)?;
        }
        tag => several(input, out, most, depth, tag)?,
    }
    Ok(())
}

fn within(input: &mut Reader, out: &mut String, most: usize, depth: usize, name: &str) -> Result<(), Wrong> {
    write(out, most, name);
    write(out, most, "(");
    show(input, out, most, depth + 1)?;
    write(out, most, ")");
    Ok(())
}

fn several(input: &mut Reader, out: &mut String, most: usize, depth: usize, tag: u8) -> Result<(), Wrong> {
    let (opens, closes) = match tag {
        b'l' => ("[", "]"),
        b't' => ("(", ")"),
        b'm' => ("{", "}"),
        _ => return Err(Wrong::Malformed),
    };
    let count = input.word()?;
    write(out, most, opens);
    for i in 0..count {
        if i > 0 {
            write(out, most, ", ");
        }
        show(input, out, most, depth + 1)?;
        if tag == b'm' {
            write(out, most, ": ");
            show(input, out, most, depth + 1)?;
        }
    }
    if tag == b't' && count == 1 {
        write(out, most, ",");
    }
    write(out, most, closes);
    Ok(())
}

fn write(out: &mut String, most: usize, text: &str) {
    if out.len() < most {
        out.push_str(text);
    }
}
