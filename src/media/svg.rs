//! SVG: text that is an image.

/// How much of a text is looked at for its root element.
const HEAD: usize = 4_096;

/// Whether the first element is `svg`.
pub(super) fn is_svg(bytes: &[u8]) -> bool {
    root(bytes).is_some()
}

/// Width and height of the root element, or of its `viewBox`; lengths in pixels or without a unit.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let root = root(bytes)?;
    let pixels = |name| attribute(root, name).and_then(length);
    pixels("width").zip(pixels("height")).or_else(|| {
        let mut numbers = attribute(root, "viewBox")?
            .split([' ', ',', '\t', '\n', '\r'])
            .filter(|number| !number.is_empty())
            .map(length);
        let [_, _, width, height] = [
            numbers.next()?,
            numbers.next()?,
            numbers.next()?,
            numbers.next()?,
        ];
        width.zip(height)
    })
}

/// The start tag of the root element without its angle brackets.
fn root(bytes: &[u8]) -> Option<&str> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The head may end inside a character.
        Err(error) if error.valid_up_to() + 4 > head.len() || error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            rest.find("?>")? + 2
        } else if rest.starts_with("<!--") {
            rest.find("-->")? + 3
        } else if rest.starts_with("<!DOCTYPE") || rest.starts_with("<!doctype") {
            rest.find('>')? + 1
        } else {
            break;
        };
        rest = rest[end..].trim_start();
    }
    let tag = rest
        .strip_prefix("<svg")
        .or_else(|| rest.strip_prefix("<svg:svg"))?;
    let starts = tag.starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/');
    starts.then(|| tag.split('>').next().unwrap_or(tag))
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let at = rest.find(name)?;
        let before = rest[..at].chars().next_back();
        let after = rest[at + name.len()..].trim_start();
        if before.is_some_and(|c| c.is_ascii_whitespace())
            && let Some(value) = after.strip_prefix('=')
        {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            return value[1..].split(quote).next();
        }
        rest = &rest[at + name.len()..];
    }
}

fn length(value: &str) -> Option<u32> {
    let number: f64 = value.trim().trim_end_matches("px").parse().ok()?;
    (number.is_finite() && number >= 0.0 && number <= f64::from(u32::MAX))
        .then(|| number.round() as u32)
}
