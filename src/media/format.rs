//! Formats and the names that recordings have for them.

use serde::{Serialize, Serializer};

/// What a format holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A picture.
    Image,
    /// Pages, tables or text.
    Document,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
}

impl Kind {
    /// The kind that a declared media type claims, by its first half.
    pub fn from_declared(declared: &str) -> Option<Self> {
        let half = declared.split_once('/')?.0.trim();
        match half.to_ascii_lowercase().as_str() {
            "image" => Some(Self::Image),
            "audio" => Some(Self::Audio),
            "video" => Some(Self::Video),
            "text" => Some(Self::Document),
            _ => None,
        }
    }
}

macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident $kind:ident $name:literal $media_type:literal [$($alias:literal),*];)*) => {
        /// A format of image, document, sound or film.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $format,)*
        }

        impl Format {
            /// Every format.
            pub const ALL: &[Self] = &[$(Self::$format,)*];

            /// Its short name, which is also its usual file extension.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$format => $name,)* }
            }

            /// Its media type.
            pub const fn media_type(self) -> &'static str {
                match self { $(Self::$format => $media_type,)* }
            }

            /// What it holds.
            pub const fn kind(self) -> Kind {
                match self { $(Self::$format => Kind::$kind,)* }
            }

            const fn aliases(self) -> &'static [&'static str] {
                match self { $(Self::$format => &[$($alias),*],)* }
            }
        }
    };
}

formats! {
    /// Portable Network Graphics.
    Png Image "png" "image/png" ["image/x-png", "apng", "image/apng"];
    /// JPEG.
    Jpeg Image "jpeg" "image/jpeg" ["jpg", "image/jpg", "image/pjpeg", "jpe", "jfif"];
    /// Graphics Interchange Format.
    Gif Image "gif" "image/gif" [];
    /// WebP.
    Webp Image "webp" "image/webp" [];
    /// Scalable Vector Graphics.
    Svg Image "svg" "image/svg+xml" ["image/svg"];
    /// HEIF with HEVC.
    Heic Image "heic" "image/heic" ["image/heic-sequence"];
    /// HEIF.
    Heif Image "heif" "image/heif" ["image/heif-sequence"];
    /// AV1 pictures.
    Avif Image "avif" "image/avif" [];
    /// Windows bitmaps.
    Bmp Image "bmp" "image/bmp" ["image/x-ms-bmp", "image/x-bmp", "dib"];
    /// TIFF.
    Tiff Image "tiff" "image/tiff" ["tif"];
    /// Windows icons.
    Ico Image "ico" "image/x-icon" ["image/vnd.microsoft.icon"];
    /// PDF.
    Pdf Document "pdf" "application/pdf" ["application/x-pdf"];
    /// Word, zipped XML.
    Docx Document "docx" "application/vnd.openxmlformats-officedocument.wordprocessingml.document" [];
    /// Excel, zipped XML.
    Xlsx Document "xlsx" "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" [];
    /// PowerPoint, zipped XML.
    Pptx Document "pptx" "application/vnd.openxmlformats-officedocument.presentationml.presentation" [];
    /// OpenDocument.
    Odf Document "odf" "application/vnd.oasis.opendocument.text"
        ["odt", "ods", "odp", "application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.presentation"];
    /// Electronic publication.
    Epub Document "epub" "application/epub+zip" [];
    /// Word before 2007.
    Doc Document "doc" "application/msword" [];
    /// Excel before 2007.
    Xls Document "xls" "application/vnd.ms-excel" [];
    /// PowerPoint before 2007.
    Ppt Document "ppt" "application/vnd.ms-powerpoint" [];
    /// A compound file of some other program.
    Ole Document "ole" "application/x-ole-storage" [];
    /// A zip archive of something else.
    Zip Document "zip" "application/zip" ["application/x-zip-compressed"];
    /// Rich Text Format.
    Rtf Document "rtf" "application/rtf" ["text/rtf"];
    /// HTML.
    Html Document "html" "text/html" ["htm", "application/xhtml+xml"];
    /// XML of some other kind.
    Xml Document "xml" "application/xml" ["text/xml"];
    /// JSON.
    Json Document "json" "application/json" ["text/json"];
    /// Comma separated values.
    Csv Document "csv" "text/csv" ["application/csv"];
    /// Tab separated values.
    Tsv Document "tsv" "text/tab-separated-values" [];
    /// Markdown.
    Markdown Document "md" "text/markdown" ["markdown", "text/x-markdown"];
    /// Plain text.
    Text Document "txt" "text/plain" ["text"];
    /// Waveform audio.
    Wav Audio "wav" "audio/wav" ["audio/x-wav", "audio/wave", "audio/vnd.wave"];
    /// MPEG audio.
    Mp3 Audio "mp3" "audio/mpeg" ["audio/mp3"];
    /// Ogg.
    Ogg Audio "ogg" "audio/ogg" ["oga", "opus", "audio/opus", "application/ogg"];
    /// FLAC.
    Flac Audio "flac" "audio/flac" ["audio/x-flac"];
    /// AAC.
    Aac Audio "aac" "audio/aac" [];
    /// AIFF.
    Aiff Audio "aiff" "audio/aiff" ["aif", "audio/x-aiff"];
    /// MPEG-4 sound.
    M4a Audio "m4a" "audio/mp4" ["audio/m4a", "audio/x-m4a"];
    /// MPEG-4.
    Mp4 Video "mp4" "video/mp4" ["m4v"];
    /// QuickTime.
    Mov Video "mov" "video/quicktime" ["quicktime"];
    /// WebM.
    Webm Video "webm" "video/webm" ["audio/webm"];
    /// Matroska.
    Mkv Video "mkv" "video/x-matroska" ["video/matroska"];
    /// AVI.
    Avi Video "avi" "video/x-msvideo" ["video/avi"];
    /// MPEG before 4.
    Mpeg Video "mpeg" "video/mpeg" ["mpg"];
    /// Flash video.
    Flv Video "flv" "video/x-flv" ["video/flv"];
}

impl Format {
    /// The format that a recording names by media type, format name or file extension, in any case,
    /// with or without parameters.
    pub fn from_declared(declared: &str) -> Option<Self> {
        let name = declared
            .split(';')
            .next()?
            .trim()
            .trim_start_matches('.')
            .to_ascii_lowercase();
        Self::ALL.iter().copied().find(|format| {
            format.name() == name
                || format.media_type() == name
                || format.aliases().contains(&name.as_str())
        })
    }

    /// Text that can be read as it is.
    pub const fn is_plain_text(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Markdown
                | Self::Csv
                | Self::Tsv
                | Self::Json
                | Self::Xml
                | Self::Html
                | Self::Svg
                | Self::Rtf
        )
    }

    /// Whether bytes that are `actual` may carry this label.
    pub const fn agrees_with(self, actual: Self) -> bool {
        if self as u8 == actual as u8 {
            return true;
        }
        match (self, actual) {
            // Which kind of text it is cannot be told from bytes for certain.
            (
                Self::Text
                | Self::Markdown
                | Self::Csv
                | Self::Tsv
                | Self::Json
                | Self::Xml
                | Self::Html,
                Self::Text | Self::Markdown | Self::Csv | Self::Tsv,
            )
            | (
                Self::Text | Self::Markdown,
                Self::Json | Self::Xml | Self::Html | Self::Svg | Self::Rtf,
            )
            | (Self::Xml, Self::Svg | Self::Html)
            | (Self::Zip, Self::Docx | Self::Xlsx | Self::Pptx | Self::Odf | Self::Epub)
            | (Self::Docx | Self::Xlsx | Self::Pptx | Self::Odf | Self::Epub, Self::Zip)
            | (Self::Doc | Self::Xls | Self::Ppt, Self::Ole)
            | (Self::Heic | Self::Heif, Self::Heic | Self::Heif)
            | (Self::Mp4 | Self::M4a | Self::Mov, Self::Mp4 | Self::M4a | Self::Mov)
            | (Self::Webm | Self::Mkv, Self::Webm | Self::Mkv) => true,
            _ => false,
        }
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_names_one_format() {
        for format in Format::ALL.iter().copied() {
            for name in [format.name(), format.media_type()]
                .iter()
                .chain(format.aliases())
            {
                assert_eq!(Format::from_declared(name), Some(format), "{name}");
                assert_eq!(
                    Format::from_declared(&format!(" {}; q=1", name.to_uppercase())),
                    Some(format)
                );
            }
        }
        assert_eq!(Format::from_declared("application/octet-stream"), None);
        assert_eq!(Format::from_declared(""), None);
    }
}
