//! Decoding pixels, within limits.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat, ImageReader};

use super::format::Format;
use super::sniff::{PixelSize, sniff};

/// What decoding may cost. A file of a few bytes can claim any size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Pixels of the picture; checked against the header before anything is decoded.
    pub pixels: u64,
    /// Bytes that a decoder may allocate.
    pub bytes: u64,
}

impl Default for Limits {
    /// 40 million pixels, larger than any provider takes, in 256 MiB.
    fn default() -> Self {
        Self {
            pixels: 40_000_000,
            bytes: 256 * 1024 * 1024,
        }
    }
}

/// Why a picture is not drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// The bytes are nothing that is known here.
    #[error("not an image")]
    NotAnImage,
    /// A format that is recognised and not decoded.
    #[error("{} is not drawn", .0.name())]
    NotDrawn(Format),
    /// Larger than the limits allow.
    #[error("{} x {} pixels are too many to draw", .0.width, .0.height)]
    TooLarge(PixelSize),
    /// The decoder refused the bytes.
    #[error("broken {}: {reason}", format.name())]
    Broken {
        /// What it should be.
        format: Format,
        /// What the decoder says.
        reason: String,
    },
}

/// A small picture, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thumbnail {
    /// Pixels from left to right; one per cell.
    pub width: u32,
    /// Pixels from top to bottom; two per cell.
    pub height: u32,
    /// Red, green, blue and opacity of each pixel.
    pub pixels: Vec<[u8; 4]>,
    /// The size of the picture itself.
    pub original: PixelSize,
}

impl Thumbnail {
    /// The pixel at a place; none outside.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width {
            return None;
        }
        self.pixels
            .get(y as usize * self.width as usize + x as usize)
            .copied()
    }
}

/// Decodes a png, jpeg, gif (its first frame) or webp.
pub fn decode_image(bytes: &[u8], limits: Limits) -> Result<DynamicImage, PictureError> {
    let facts = sniff(bytes).ok_or(PictureError::NotAnImage)?;
    let format = match facts.format {
        Format::Png => ImageFormat::Png,
        Format::Jpeg => ImageFormat::Jpeg,
        Format::Gif => ImageFormat::Gif,
        Format::Webp => ImageFormat::WebP,
        other if other.kind() == super::Kind::Image => return Err(PictureError::NotDrawn(other)),
        _ => return Err(PictureError::NotAnImage),
    };
    let broken = |error: image::ImageError| PictureError::Broken {
        format: facts.format,
        reason: error.to_string(),
    };
    let too_large =
        |size: PixelSize| u64::from(size.width) * u64::from(size.height) > limits.pixels;
    if let Some(size) = facts.size.filter(|&size| too_large(size)) {
        return Err(PictureError::TooLarge(size));
    }
    let reader = || {
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        let mut image_limits = image::Limits::default();
        image_limits.max_alloc = Some(limits.bytes);
        reader.limits(image_limits);
        reader
    };
    // The decoder's own reading of the header decides, whatever ours was.
    let (width, height) = reader().into_dimensions().map_err(broken)?;
    let size = PixelSize { width, height };
    if too_large(size) {
        return Err(PictureError::TooLarge(size));
    }
    reader().decode().map_err(broken)
}

/// The picture in at most `columns` by `rows` cells, two pixels on top of each other in each, in its
/// own proportions and never larger than it is.
pub fn thumbnail(
    bytes: &[u8],
    columns: u16,
    rows: u16,
    limits: Limits,
) -> Result<Thumbnail, PictureError> {
    let picture = decode_image(bytes, limits)?;
    let (width, height) = picture.dimensions();
    let original = PixelSize { width, height };
    let most = (u32::from(columns).max(1), u32::from(rows).max(1) * 2);
    let small = if width > most.0 || height > most.1 {
        picture.thumbnail(most.0, most.1)
    } else {
        picture
    };
    let small = small.into_rgba8();
    Ok(Thumbnail {
        width: small.width(),
        height: small.height(),
        pixels: small.pixels().map(|pixel| pixel.0).collect(),
        original,
    })
}
