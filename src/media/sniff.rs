//! Type and size from the first bytes.

use super::container;
use super::format::Format;
use super::svg;
use super::text;

/// Width and height in pixels, as the header tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelSize {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// What the bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// The format.
    pub format: Format,
    /// For images, where the header could be read.
    pub size: Option<PixelSize>,
    /// More than one frame, where the header tells.
    pub animated: bool,
}

impl Facts {
    const fn of(format: Format) -> Self {
        Self {
            format,
            size: None,
            animated: false,
        }
    }

    fn sized(format: Format, size: Option<(u32, u32)>) -> Self {
        Self {
            format,
            size: size.map(|(width, height)| PixelSize { width, height }),
            animated: false,
        }
    }
}

/// What these bytes are; none where they are empty or nothing that is known here.
pub fn sniff(bytes: &[u8]) -> Option<Facts> {
    image(bytes)
        .or_else(|| sound_or_film(bytes))
        .or_else(|| document(bytes))
        .or_else(|| text::guess(bytes).map(Facts::of))
}

fn image(bytes: &[u8]) -> Option<Facts> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        let size = (bytes.get(12..16) == Some(b"IHDR"))
            .then(|| Some((be32(bytes, 16)?, be32(bytes, 20)?)));
        let mut facts = Facts::sized(Format::Png, size.flatten());
        facts.animated = chunk_before_data(bytes);
        return Some(facts);
    }
    if bytes.starts_with(b"\xFF\xD8\xFF") {
        return Some(Facts::sized(Format::Jpeg, jpeg_size(bytes)));
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        let size = le16(bytes, 6).zip(le16(bytes, 8));
        let mut facts = Facts::sized(Format::Gif, size);
        facts.animated = memchr::memmem::find(bytes, b"NETSCAPE2.0").is_some();
        return Some(facts);
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        let mut facts = Facts::sized(Format::Webp, webp_size(bytes));
        facts.animated =
            bytes.get(12..16) == Some(b"VP8X") && bytes.get(20).is_some_and(|flags| flags & 2 != 0);
        return Some(facts);
    }
    if bytes.starts_with(b"BM")
        && le32(bytes, 14)
            .is_some_and(|header| matches!(header, 12 | 40 | 52 | 56 | 64 | 108 | 124))
    {
        let size = if le32(bytes, 14) == Some(12) {
            le16(bytes, 18).zip(le16(bytes, 20))
        } else {
            // A negative height means that the rows are stored from the top.
            le32(bytes, 18).zip(le32(bytes, 22).map(|height| (height as i32).unsigned_abs()))
        };
        return Some(Facts::sized(Format::Bmp, size));
    }
    if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") {
        return Some(Facts::of(Format::Tiff));
    }
    if bytes.starts_with(b"\0\0\x01\0") && bytes.get(4..6).is_some_and(|count| count != [0, 0]) {
        let side = |at: usize| {
            bytes
                .get(at)
                .map(|&side| if side == 0 { 256 } else { u32::from(side) })
        };
        return Some(Facts::sized(Format::Ico, side(6).zip(side(7))));
    }
    if let Some(brand) = container::brand(bytes) {
        let format = match brand {
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" => Format::Heic,
            b"mif1" | b"msf1" | b"heif" => Format::Heif,
            b"avif" | b"avis" => Format::Avif,
            _ => return None,
        };
        return Some(Facts::sized(format, container::heif_size(bytes)));
    }
    svg::is_svg(bytes).then(|| Facts::sized(Format::Svg, svg::size(bytes)))
}

fn sound_or_film(bytes: &[u8]) -> Option<Facts> {
    let format = match bytes {
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'A',
            b'V',
            b'E',
            ..,
        ] => Format::Wav,
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'A',
            b'V',
            b'I',
            b' ',
            ..,
        ] => Format::Avi,
        [
            b'F',
            b'O',
            b'R',
            b'M',
            _,
            _,
            _,
            _,
            b'A',
            b'I',
            b'F',
            b'F' | b'C',
            ..,
        ] => Format::Aiff,
        [b'I', b'D', b'3']
        | [b'I', b'D', b'3', 0..=8, ..]
        | [0xFF, 0xFB | 0xF3 | 0xF2 | 0xFA, ..] => Format::Mp3,
        [0xFF, 0xF1 | 0xF9, ..] => Format::Aac,
        [b'O', b'g', b'g', b'S', ..] => Format::Ogg,
        [b'f', b'L', b'a', b'C', ..] => Format::Flac,
        [b'F', b'L', b'V', 1, ..] => Format::Flv,
        [0, 0, 1, 0xB3 | 0xBA, ..] => Format::Mpeg,
        [0x1A, 0x45, 0xDF, 0xA3, ..] => {
            let head = bytes.get(..64).unwrap_or(bytes);
            if memchr::memmem::find(head, b"webm").is_some() {
                Format::Webm
            } else {
                Format::Mkv
            }
        }
        _ => match container::brand(bytes)? {
            b"M4A " | b"M4B " => Format::M4a,
            b"qt  " => Format::Mov,
            _ => Format::Mp4,
        },
    };
    Some(Facts::of(format))
}

fn document(bytes: &[u8]) -> Option<Facts> {
    // Readers accept a PDF whose header is not at the very start.
    let head = bytes.get(..1024).unwrap_or(bytes);
    if bytes.starts_with(b"%PDF-")
        || memchr::memmem::find(head, b"%PDF-1.").is_some_and(|at| !head[..at].is_ascii())
    {
        return Some(Facts::of(Format::Pdf));
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Some(Facts::of(container::zip_content(bytes)));
    }
    if bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        return Some(Facts::of(container::compound_content(bytes)));
    }
    bytes.starts_with(b"{\\rtf").then(|| Facts::of(Format::Rtf))
}

/// Whether a PNG announces an animation before its pixels.
fn chunk_before_data(bytes: &[u8]) -> bool {
    let control = memchr::memmem::find(bytes, b"acTL");
    let data = memchr::memmem::find(bytes, b"IDAT");
    control.is_some_and(|control| data.is_none_or(|data| control < data))
}

/// The size in a JPEG's frame header, which may stand behind large metadata.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while bytes.get(at)? == &0xFF && bytes.get(at + 1) == Some(&0xFF) {
            at += 1;
        }
        if bytes.get(at)? != &0xFF {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                return be16(bytes, at + 7).zip(be16(bytes, at + 5));
            }
            0x01 | 0xD0..=0xD8 => at += 2,
            0xD9 | 0xDA => return None,
            _ => at += 2 + be16(bytes, at + 2)?.max(2) as usize,
        }
    }
}

fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " if bytes.get(23..26) == Some(b"\x9D\x01\x2A") => {
            Some((le16(bytes, 26)? & 0x3FFF, le16(bytes, 28)? & 0x3FFF))
        }
        b"VP8L" if bytes.get(20) == Some(&0x2F) => {
            let bits = le32(bytes, 21)?;
            Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        }
        b"VP8X" => {
            let side =
                |at: usize| Some((le16(bytes, at)? | u32::from(*bytes.get(at + 2)?) << 16) + 1);
            Some((side(24)?, side(27)?))
        }
        _ => None,
    }
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

pub(super) fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u16::from_be_bytes).map(u32::from)
}

pub(super) fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_be_bytes)
}

pub(super) fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u16::from_le_bytes).map(u32::from)
}

pub(super) fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}
