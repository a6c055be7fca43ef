//! Server-sent events: they tell a page in the browser that its board has changed.

use std::convert::Infallible;

use axum::extract::{Path, State as Extract};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::broadcast::error::RecvError;

use super::State;
use super::pages::refused;
use super::request::Refusal;
use crate::limits;
use crate::store::board;

/// Streams an event for each change of a board, until the browser leaves or the time limit is
/// reached. When the server stops, it ends all streams of events.
pub(super) async fn of_board(Extract(app): State, Path(id): Path<u64>) -> Response {
    let found = app.store.root().and_then(|root| board(&root, id).map(drop));
    if let Err(error) = found {
        return refused(error.into());
    }
    let Ok(place) = app.viewers.clone().try_acquire_owned() else {
        let why = "too many look at the boards at once".to_owned();
        return refused(Refusal(StatusCode::SERVICE_UNAVAILABLE, why));
    };
    let changes = app.store.subscribe();
    let end = Box::pin(tokio::time::sleep(limits::EVENTS));
    let state = (changes, end, place, false);
    let events = stream::unfold(
        state,
        move |(mut changes, mut end, place, has_begun)| async move {
            if !has_begun {
                // This event tells the browser that no further change will be missed. Browsers
                // ignore events without data.
                let event = Event::default().event("ready").data(id.to_string());
                return Some((Ok::<_, Infallible>(event), (changes, end, place, true)));
            }
            loop {
                let changed = tokio::select! {
                    changed = changes.recv() => changed,
                    () = end.as_mut() => return None,
                };
                match changed {
                    // A viewer that missed changes reloads everything.
                    Ok(changed) if changed != id => continue,
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
                let event = Event::default().event("changed").data(id.to_string());
                return Some((Ok(event), (changes, end, place, true)));
            }
        },
    );
    let alive = KeepAlive::new().interval(limits::PATIENCE / 3);
    Sse::new(events).keep_alive(alive).into_response()
}
