//! Tests over small files of every format, whole, cut off and damaged.

use image::{DynamicImage, ImageFormat, RgbaImage};
use proptest::prelude::*;

use super::*;

fn encoded(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let picture = RgbaImage::from_fn(width, height, |x, y| {
        image::Rgba([x as u8, y as u8, 128, 255])
    });
    let picture = DynamicImage::ImageRgba8(picture);
    let picture = if format == ImageFormat::Jpeg {
        picture.into_rgb8().into()
    } else {
        picture
    };
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format)
        .expect("a small picture");
    bytes.into_inner()
}

fn boxed(kind: [u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = (body.len() as u32 + 8).to_be_bytes().to_vec();
    out.extend_from_slice(&kind);
    out.extend_from_slice(body);
    out
}

fn heic() -> Vec<u8> {
    let size = |width: u32, height: u32| {
        boxed(
            *b"ispe",
            &[&[0; 4][..], &width.to_be_bytes(), &height.to_be_bytes()].concat(),
        )
    };
    let properties = boxed(*b"ipco", &[size(512, 512), size(4032, 3024)].concat());
    let meta = boxed(
        *b"meta",
        &[&[0; 4][..], &boxed(*b"iprp", &properties)].concat(),
    );
    [boxed(*b"ftyp", b"heic\0\0\0\0mif1heic"), meta].concat()
}

fn zip_of(names: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for name in names {
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&[0; 22]);
        out.extend_from_slice(&(name.len() as u16).to_le_bytes());
        out.extend_from_slice(&[0; 2]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"data");
    }
    out
}

fn compound_of(stream: &str) -> Vec<u8> {
    let mut out = vec![0; 512];
    out[..8].copy_from_slice(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
    out[30] = 9;
    out.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
    out.extend_from_slice(&[0; 512]);
    out
}

fn webp_lossy_header() -> Vec<u8> {
    let mut out = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\x01\x2A".to_vec();
    out.extend_from_slice(&[0x20, 0x03, 0x58, 0x02]);
    out
}

#[test]
fn images_are_known_by_their_bytes() {
    let sized = |bytes: &[u8]| {
        sniff(bytes).map(|facts| {
            (
                facts.format,
                facts.size.map(|size| (size.width, size.height)),
            )
        })
    };
    for (format, expected) in [
        (ImageFormat::Png, Format::Png),
        (ImageFormat::Jpeg, Format::Jpeg),
        (ImageFormat::Gif, Format::Gif),
        (ImageFormat::WebP, Format::Webp),
    ] {
        assert_eq!(
            sized(&encoded(format, 37, 11)),
            Some((expected, Some((37, 11))))
        );
    }
    let bmp = [
        &b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0"[..],
        &64_u32.to_le_bytes(),
        &(-48_i32).to_le_bytes(),
    ]
    .concat();
    for (bytes, format, size) in [
        (heic(), Format::Heic, Some((4032, 3024))),
        (boxed(*b"ftyp", b"mif1\0\0\0\0"), Format::Heif, None),
        (boxed(*b"ftyp", b"avif\0\0\0\0"), Format::Avif, None),
        (webp_lossy_header(), Format::Webp, Some((800, 600))),
        (bmp, Format::Bmp, Some((64, 48))),
        (b"II*\0\x08\0\0\0".to_vec(), Format::Tiff, None),
        (b"\0\0\x01\0\x01\0\x20\0".to_vec(), Format::Ico, Some((32, 256))),
        (b"<svg/>".to_vec(), Format::Svg, None),
        (
            b"<?xml version=\"1.0\"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg xmlns='x' stroke-width=\"3\" width='120px' height=\"80\">".to_vec(),
            Format::Svg,
            Some((120, 80)),
        ),
        (b"<svg width=\"100%\" viewBox=\"0 0 24, 16.4\">".to_vec(), Format::Svg, Some((24, 16))),
    ] {
        assert_eq!(sized(&bytes), Some((format, size)), "{format:?}");
    }
    assert!(
        sniff(b"GIF89a\x01\0\x01\0\0\0\0!\xFF\x0BNETSCAPE2.0")
            .expect("a gif")
            .animated
    );
}

#[test]
fn documents_sound_and_film_are_known_by_their_bytes() {
    let utf16: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain("plain words".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    for (bytes, format) in [
        (b"%PDF-1.7\n".to_vec(), Format::Pdf),
        (
            zip_of(&["[Content_Types].xml", "_rels/.rels", "word/document.xml"]),
            Format::Docx,
        ),
        (
            zip_of(&["[Content_Types].xml", "xl/workbook.xml"]),
            Format::Xlsx,
        ),
        (zip_of(&["ppt/slides/slide1.xml"]), Format::Pptx),
        (zip_of(&["src/word/document.rs"]), Format::Zip),
        (compound_of("WordDocument"), Format::Doc),
        (compound_of("Workbook"), Format::Xls),
        (compound_of("Other"), Format::Ole),
        (b"{\\rtf1".to_vec(), Format::Rtf),
        (b"  <!DOCTYPE html><html>".to_vec(), Format::Html),
        (b"<?xml version=\"1.0\"?><feed/>".to_vec(), Format::Xml),
        (b"{\"a\":1}".to_vec(), Format::Json),
        (b"[section]\nkey = 1".to_vec(), Format::Text),
        (b"id,name\n1,a\n2,\"b,c\"\n".to_vec(), Format::Csv),
        (b"id\tname\n1\ta\n".to_vec(), Format::Tsv),
        (b"Dear all,\nplease, read this.\n".to_vec(), Format::Text),
        (b"# Title\n\nSome *words*.\n".to_vec(), Format::Markdown),
        ("naïve text".as_bytes().to_vec(), Format::Text),
        (utf16, Format::Text),
        (b"RIFF\0\0\0\0WAVEfmt ".to_vec(), Format::Wav),
        (b"ID3\x04\0\0".to_vec(), Format::Mp3),
        (b"ID3".to_vec(), Format::Mp3),
        (b"OggS\0".to_vec(), Format::Ogg),
        (boxed(*b"ftyp", b"M4A \0\0\0\0"), Format::M4a),
        (boxed(*b"ftyp", b"isom\0\0\0\0"), Format::Mp4),
        (b"\x1A\x45\xDF\xA3\x01\0\0\0webm".to_vec(), Format::Webm),
    ] {
        assert_eq!(
            sniff(&bytes).map(|facts| facts.format),
            Some(format),
            "{}",
            bytes.escape_ascii()
        );
    }
    assert_eq!(sniff(b""), None);
    assert_eq!(sniff(b"\x00\x01\x02\x03"), None);
    assert_eq!(
        plain_text(b"\xFF\xFEa\0\xE9\0", Format::Text).as_deref(),
        Some("aé")
    );
    assert_eq!(
        plain_text(b"\xEF\xBB\xBFa\xFF", Format::Csv).as_deref(),
        Some("a\u{FFFD}")
    );
    assert_eq!(plain_text(b"%PDF-1.7", Format::Pdf), None);
}

#[test]
fn a_picture_is_made_small_in_its_own_proportions() {
    let small = thumbnail(
        &encoded(ImageFormat::Png, 200, 100),
        40,
        30,
        Limits::default(),
    )
    .expect("a picture");
    assert_eq!((small.width, small.height), (40, 20));
    assert_eq!((small.original.width, small.original.height), (200, 100));
    assert_eq!(small.pixels.len(), 800);
    assert!(
        small.pixel(39, 19).is_some()
            && small.pixel(40, 0).is_none()
            && small.pixel(0, 20).is_none()
    );
    // One pixel stays one pixel.
    let tiny =
        thumbnail(&encoded(ImageFormat::Png, 1, 1), 40, 30, Limits::default()).expect("a picture");
    assert_eq!((tiny.width, tiny.height, tiny.pixels.len()), (1, 1, 1));
}

#[test]
fn a_picture_that_claims_too_much_is_not_decoded() {
    let mut bomb = encoded(ImageFormat::Png, 1, 1);
    bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
    bomb[20..24].copy_from_slice(&60_000_u32.to_be_bytes());
    let refused = thumbnail(&bomb, 10, 10, Limits::default());
    assert_eq!(
        refused,
        Err(PictureError::TooLarge(PixelSize {
            width: 60_000,
            height: 60_000
        }))
    );
    assert_eq!(
        refused.expect_err("refused").to_string(),
        "60000 x 60000 pixels are too many to draw"
    );
    let narrow = Limits {
        pixels: 100,
        ..Limits::default()
    };
    assert!(matches!(
        decode_image(&encoded(ImageFormat::Gif, 20, 20), narrow),
        Err(PictureError::TooLarge(_))
    ));
    assert_eq!(
        decode_image(b"<svg/>", Limits::default())
            .expect_err("no pixels")
            .to_string(),
        "svg is not drawn"
    );
    assert!(matches!(
        decode_image(b"text", Limits::default()),
        Err(PictureError::NotAnImage)
    ));
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let whole = prop_oneof![
        Just(encoded(ImageFormat::Png, 9, 7)),
        Just(encoded(ImageFormat::Jpeg, 17, 9)),
        Just(encoded(ImageFormat::Gif, 9, 7)),
        Just(encoded(ImageFormat::WebP, 9, 7)),
        Just(webp_lossy_header()),
        Just(heic()),
        Just(zip_of(&["mimetype", "word/x"])),
        Just(compound_of("WordDocument")),
        Just(b"<svg width='1' viewBox='0 0 1 1'>".to_vec()),
        any::<Vec<u8>>(),
    ];
    (
        whole,
        prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        any::<prop::sample::Index>(),
        any::<bool>(),
    )
        .prop_map(|(mut bytes, changes, cut, shorten)| {
            for (at, byte) in changes {
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
            }
            if shorten {
                bytes.truncate(cut.index(bytes.len() + 1));
            }
            bytes
        })
}

proptest! {
    #[test]
    fn damaged_files_fail_in_words(bytes in damaged()) {
        let _ = sniff(&bytes);
        let limits = Limits { pixels: 10_000, bytes: 1 << 22 };
        if let Ok(small) = thumbnail(&bytes, 8, 4, limits) {
            prop_assert!(small.width <= 8 && small.height <= 8);
            prop_assert_eq!(small.pixels.len(), small.width as usize * small.height as usize);
        }
        for format in Format::ALL {
            let _ = plain_text(&bytes, *format);
        }
    }
}
