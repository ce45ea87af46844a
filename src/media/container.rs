//! Formats that are a container of something: MPEG-4 boxes, zip archives, compound files.

use super::format::Format;
use super::sniff::{be32, le16, le32};

/// The main brand of a file of MPEG-4 boxes.
pub(super) fn brand(bytes: &[u8]) -> Option<&[u8; 4]> {
    (bytes.get(4..8)? == b"ftyp")
        .then(|| bytes.get(8..12)?.try_into().ok())
        .flatten()
}

/// The largest image of a HEIF file: its tiles have sizes too.
pub(super) fn heif_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let meta = find_box(bytes, *b"meta")?;
    // A full box: version and flags first.
    let properties = find_box(find_box(meta.get(4..)?, *b"iprp")?, *b"ipco")?;
    boxes(properties)
        .filter(|(kind, _)| kind == b"ispe")
        .filter_map(|(_, body)| Some((be32(body, 4)?, be32(body, 8)?)))
        .max_by_key(|&(width, height)| u64::from(width) * u64::from(height))
}

fn find_box(bytes: &[u8], wanted: [u8; 4]) -> Option<&[u8]> {
    boxes(bytes)
        .find(|(kind, _)| *kind == wanted)
        .map(|(_, body)| body)
}

/// The boxes at one level; a broken size ends them. A box that is cut off counts as far as it goes.
fn boxes(mut bytes: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    std::iter::from_fn(move || {
        let kind: [u8; 4] = bytes.get(4..8)?.try_into().ok()?;
        let (header, length) = match be32(bytes, 0)? {
            0 => (8, bytes.len() as u64),
            1 => (
                16,
                u64::from(be32(bytes, 8)?) << 32 | u64::from(be32(bytes, 12)?),
            ),
            length => (8, u64::from(length)),
        };
        if length < header {
            return None;
        }
        let end = usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let body = bytes.get(header as usize..end)?;
        bytes = bytes.get(end..).unwrap_or_default();
        Some((kind, body))
    })
}

/// How many entries of an archive are looked at.
const ENTRIES: usize = 256;

/// What a zip archive is the package of, by the names of its first entries.
pub(super) fn zip_content(bytes: &[u8]) -> Format {
    if let Some(stored) = mimetype_entry(bytes) {
        if stored.starts_with(b"application/epub+zip") {
            return Format::Epub;
        }
        if stored.starts_with(b"application/vnd.oasis.opendocument") {
            return Format::Odf;
        }
    }
    let mut at = 0;
    // Every local header carries its name; data of unknown length between them is skipped by search.
    for header in memchr::memmem::find_iter(bytes, b"PK\x03\x04").take(ENTRIES) {
        if header < at {
            continue;
        }
        let Some(name) = entry_name(bytes, header) else {
            continue;
        };
        for (folder, format) in [
            (&b"word/"[..], Format::Docx),
            (b"xl/", Format::Xlsx),
            (b"ppt/", Format::Pptx),
        ] {
            if name.starts_with(folder) {
                return format;
            }
        }
        at = header + 30;
    }
    // Names in the central directory, for archives whose first entries are elsewhere.
    for (mark, format) in [
        (&b"word/document.xml"[..], Format::Docx),
        (b"xl/workbook.xml", Format::Xlsx),
        (b"ppt/presentation.xml", Format::Pptx),
    ] {
        if memchr::memmem::find(bytes, mark).is_some() {
            return format;
        }
    }
    Format::Zip
}

fn entry_name(bytes: &[u8], header: usize) -> Option<&[u8]> {
    let length = le16(bytes, header + 26)? as usize;
    bytes.get(header + 30..header + 30 + length)
}

/// The stored content of a first entry named `mimetype`.
fn mimetype_entry(bytes: &[u8]) -> Option<&[u8]> {
    if entry_name(bytes, 0)? != b"mimetype" {
        return None;
    }
    let extra = le16(bytes, 28)? as usize;
    bytes.get(30 + 8 + extra..)
}

/// What program a compound file is of, by the names of its streams.
pub(super) fn compound_content(bytes: &[u8]) -> Format {
    for (name, format) in [
        ("WordDocument", Format::Doc),
        ("Workbook", Format::Xls),
        ("PowerPoint Document", Format::Ppt),
        ("Book", Format::Xls),
    ] {
        let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        if directory_sector(bytes)
            .is_some_and(|directory| memchr::memmem::find(directory, &wide).is_some())
        {
            return format;
        }
    }
    Format::Ole
}

/// From the first sector of the directory on.
fn directory_sector(bytes: &[u8]) -> Option<&[u8]> {
    let size = 1_usize
        .checked_shl(le16(bytes, 30)?)
        .filter(|size| *size <= 4_096)?;
    let sector = le32(bytes, 48)? as usize;
    bytes
        .get(sector.checked_add(1)?.checked_mul(size)?..)
        .or(Some(bytes))
}
