//! A tab together with the data that a worker computed for it, whatever its types are.

use std::any::Any;

use super::action::Action;
use super::canvas::Canvas;
use super::tab::{Context, Outcome, Place, Source, Status, Tab, TabName};
use super::theme::Theme;
use crate::session::event::EventId;

/// Data of a tab on its way from a worker.
pub type Data = Box<dyn Any + Send>;
/// The computing of it, to be done by a worker.
pub type Load = Box<dyn FnOnce(&Source) -> Data + Send>;

/// Any tab.
pub trait Held: Send {
    /// Which.
    fn name(&self) -> TabName;
    /// What a worker has to compute for it.
    fn load(&self) -> Load;
    /// See [`Tab::aim`].
    fn aim(&mut self, place: Option<&Place>);
    /// Takes what a worker computed for an event.
    fn arrive(&mut self, data: Data, event: EventId);
    /// The event that it shows, if any.
    fn event(&self) -> Option<EventId>;
    /// Forgets its data: they are of another recording.
    fn forget(&mut self);
    /// See [`Tab::SIZED`].
    fn is_sized(&self) -> bool;
    /// See [`Tab::LIVE`].
    fn is_live(&self) -> bool;
    /// See [`Tab::nothing`].
    fn nothing(&self) -> fn(&Source) -> Option<String>;
    /// See [`Tab::update`]; ignored while there are no data.
    fn update(&mut self, action: &Action, context: Context) -> Outcome;
    /// See [`Tab::view`]; draws nothing while there are no data.
    fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme);
    /// See [`Tab::reveal`].
    fn reveal(&mut self, place: &Place) -> bool;
    /// See [`Tab::status`].
    fn status(&self) -> Status;
    /// See [`Tab::place`].
    fn place(&self) -> Option<Place>;
}

/// A tab and its data.
struct Holder<T: Tab> {
    tab: T,
    data: Option<(EventId, Box<T::Data>)>,
}

/// A tab that waits for its first data.
pub fn hold<T: Tab>() -> Box<dyn Held> {
    Box::new(Holder::<T> {
        tab: T::default(),
        data: None,
    })
}

impl<T: Tab> Held for Holder<T> {
    fn name(&self) -> TabName {
        T::NAME
    }

    fn load(&self) -> Load {
        let ask = self.tab.ask();
        Box::new(move |source| Box::new(T::load(source, &ask)))
    }

    fn aim(&mut self, place: Option<&Place>) {
        self.tab.aim(place);
    }

    fn arrive(&mut self, data: Data, event: EventId) {
        // Another type cannot come: the message carries the tab's name, and `load` made the data.
        if let Ok(data) = data.downcast::<T::Data>() {
            let same = self.event() == Some(event);
            self.tab.arrive(&data, same);
            self.data = Some((event, data));
        }
    }

    fn event(&self) -> Option<EventId> {
        self.data.as_ref().map(|(event, _)| *event)
    }

    fn forget(&mut self) {
        *self = Self {
            tab: T::default(),
            data: None,
        };
    }

    fn is_sized(&self) -> bool {
        T::SIZED
    }

    fn is_live(&self) -> bool {
        T::LIVE
    }

    fn nothing(&self) -> fn(&Source) -> Option<String> {
        T::nothing
    }

    fn update(&mut self, action: &Action, context: Context) -> Outcome {
        match &self.data {
            Some((_, data)) => self.tab.update(data, action, context),
            None => Outcome::Ignored,
        }
    }

    fn view(&self, canvas: &mut Canvas<'_>, theme: &Theme) {
        if let Some((_, data)) = &self.data {
            self.tab.view(data, canvas, theme);
        }
    }

    fn reveal(&mut self, place: &Place) -> bool {
        match &self.data {
            Some((_, data)) => self.tab.reveal(data, place),
            None => false,
        }
    }

    fn status(&self) -> Status {
        match &self.data {
            Some((_, data)) => self.tab.status(data),
            None => Status::default(),
        }
    }

    fn place(&self) -> Option<Place> {
        let (_, data) = self.data.as_ref()?;
        self.tab.place(data)
    }
}
