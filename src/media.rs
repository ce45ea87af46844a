//! What images and documents are by their bytes, whatever their label says.
//!
//! Only headers are read to tell a type and a size ([`sniff`]); pixels are decoded within
//! [`Limits`] and only to be drawn ([`thumbnail`]). Base64 is taken in both alphabets, with blanks
//! and without padding, as recordings have it.

mod base64;
mod container;
mod format;
mod picture;
#[cfg(test)]
mod samples;
mod sniff;
mod svg;
mod text;

pub use base64::{Base64Error, base64_length, base64_prefix, data_url, decode_base64};
pub use format::{Format, Kind};
pub use picture::{Limits, PictureError, Thumbnail, decode_image, thumbnail};
pub use sniff::{Facts, PixelSize, sniff};
pub use text::{TextEncoding, plain_text};

/// A label and the bytes under it disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the recording declares, as it writes it.
    pub declared: String,
    /// What the bytes are.
    pub actual: Format,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let declared = Format::from_declared(&self.declared)
            .map_or(self.declared.as_str(), |format| format.name());
        write!(f, "says {declared}, bytes are {}", self.actual.name())
    }
}

/// Compares a declared media type or format name with what the bytes are.
///
/// None where they agree, where nothing is declared, and where the label is no contradiction: plain
/// text may be any text format, a zip may be any format that is one.
pub fn compare(declared: Option<&str>, actual: Format) -> Option<Mismatch> {
    let declared = declared?;
    let agrees = match Format::from_declared(declared) {
        Some(format) => format.agrees_with(actual),
        // A label that names no known format (`application/octet-stream`) claims nothing, unless it
        // claims another kind of media.
        None => Kind::from_declared(declared).is_none_or(|kind| kind == actual.kind()),
    };
    (!agrees).then(|| Mismatch {
        declared: declared.to_owned(),
        actual,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_label_is_told() {
        let told =
            |declared, actual| compare(declared, actual).map(|mismatch| mismatch.to_string());
        assert_eq!(
            told(Some("image/jpeg"), Format::Png).as_deref(),
            Some("says jpeg, bytes are png")
        );
        assert_eq!(
            told(Some("pdf"), Format::Html).as_deref(),
            Some("says pdf, bytes are html")
        );
        assert_eq!(
            told(Some("image/x-unheard"), Format::Pdf).as_deref(),
            Some("says image/x-unheard, bytes are pdf")
        );
        for (declared, actual) in [
            (Some("image/jpg"), Format::Jpeg),
            (Some("IMAGE/PNG"), Format::Png),
            (Some(".Png"), Format::Png),
            (Some("text/plain"), Format::Markdown),
            (Some("text/csv; charset=utf-8"), Format::Text),
            (Some("application/zip"), Format::Docx),
            (Some("image/heic"), Format::Heif),
            (Some("application/octet-stream"), Format::Png),
            (None, Format::Png),
        ] {
            assert_eq!(told(declared, actual), None, "{declared:?}");
        }
    }
}
