use super::event::{Body, EventKind};
use super::*;

fn open(text: &str) -> Session {
    let session = Session::open(Input::Bytes {
        name: "test".to_owned(),
        bytes: text.as_bytes().to_vec(),
    })
    .unwrap();
    session.index_all().unwrap();
    session
}

#[test]
fn demos_are_read() {
    for (name, events, bad) in [
        ("released-too-early", 29, 0),
        ("four-kinds", 14, 0),
        ("bricked", 11, 0),
        ("hostile", 23, 3),
    ] {
        let path = format!("{}/sessions/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let session = Session::open(Input::Path(path.into())).unwrap();
        session.index_all().unwrap();
        let info = session.info();
        assert_eq!(info.format, FormatName::Native);
        assert_eq!((info.events, info.bad_lines), (events, bad), "{name}");
        assert!(!session.captions().is_empty());
        assert!(session.head().title.is_some());
        let mut reader = session.reader();
        for (id, record) in session.index().iter() {
            let event = reader.event(id).unwrap();
            assert_eq!(
                matches!(event.body, Body::Bad { .. }),
                record.kind == EventKind::Bad
            );
            assert_eq!(event.faults.is_empty(), !record.faulty);
        }
    }
}
