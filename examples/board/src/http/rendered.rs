//! Cache of rendered pages. Nodes of the tree are immutable, so a cached page is up to date as long
//! as the tree contains the very node that the page shows.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use askama::Template;
use hyper::body::Bytes;
use jungle_trees::node::{Node, Value};

use super::body::Sent;
use super::cookies::Token;
use super::gzip::Zipped;
use crate::limits;

/// Identifies a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Which {
    Boards,
    Board(u64, Option<u64>),
    Message(u64, u64),
}

/// Everything that a page shows: a node with its descendants, and the board's name if the node does
/// not contain it.
pub(super) type Shown<'n> = (&'n Node, Option<&'n Value>);

/// A rendered page, shared by all visitors.
pub(super) struct Page {
    shown: (Node, Option<Value>),
    before: Bytes,
    /// Whether the page has a form, which contains the visitor's token.
    has_token: bool,
    after: Bytes,
    /// Tag of the text: pages with different texts have different tags.
    tag: u64,
    was_sent: AtomicBool,
    zipped: OnceLock<Zipped>,
}

impl Page {
    fn new(shown: Shown<'_>, text: &str, mark: &str, tags: &RandomState) -> Self {
        let (before, after) = text.split_once(mark).unwrap_or((text, ""));
        let (node, name) = shown;
        Page {
            shown: (node.clone(), name.cloned()),
            before: Bytes::copy_from_slice(before.as_bytes()),
            has_token: before.len() < text.len(),
            after: Bytes::copy_from_slice(after.as_bytes()),
            tag: tags.hash_one(text),
            was_sent: AtomicBool::new(false),
            zipped: OnceLock::new(),
        }
    }

    fn shows(&self, (node, name): Shown<'_>) -> bool {
        self.shown.0.is_same(node) && self.shown.1.as_ref() == name
    }

    fn length(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Returns the maximum number of bytes that the page takes.
    fn size(&self) -> usize {
        512 + 2 * self.length()
    }

    /// Returns the body for a visitor, and whether it is compressed. The first request gets an
    /// uncompressed body, because compressing takes longer than rendering.
    pub(super) fn sent(&self, token: Token, takes_gzip: bool) -> (Sent, bool) {
        let token = self.has_token.then_some(token);
        let was_sent = self.was_sent.load(Ordering::Relaxed);
        if takes_gzip && was_sent && self.length() <= limits::ZIPPED {
            let zip = || Zipped::new(&self.before, self.has_token, &self.after);
            return (self.zipped.get_or_init(zip).with(token), true);
        }
        if !was_sent {
            self.was_sent.store(true, Ordering::Relaxed);
        }
        let (before, after) = (self.before.clone(), self.after.clone());
        (Sent::new(before, token, after), false)
    }
}

/// A cache with limited size, in two generations. A page is evicted if it is not requested while a
/// generation fills up.
#[derive(Default)]
struct Kept {
    young: HashMap<Which, Arc<Page>>,
    old: HashMap<Which, Arc<Page>>,
    /// Total size of the young pages.
    size: usize,
}

impl Kept {
    fn keep(&mut self, which: Which, page: Arc<Page>) {
        let (size, limit) = (page.size(), limits::RENDERED / 2);
        self.old.remove(&which);
        let replaced = self.young.remove(&which);
        self.size -= replaced.map_or(0, |page| page.size());
        if size > limit {
            return;
        }
        if self.size + size > limit {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        self.size += size;
        self.young.insert(which, page);
    }
}

/// The cache of pages, each with what it shows.
pub(super) struct Rendered {
    kept: RwLock<Kept>,
    /// Placeholder for the token in rendered templates. It is random and secret, so no visitor can
    /// write it into a message.
    mark: String,
    tags: RandomState,
}

impl Default for Rendered {
    fn default() -> Self {
        let [high, low] = [0, 1].map(|number: u64| RandomState::new().hash_one(number));
        Rendered {
            kept: RwLock::default(),
            mark: format!("{high:016x}{low:016x}"),
            tags: RandomState::new(),
        }
    }
}

impl Rendered {
    /// Returns the page that shows `shown`. If it is not cached, `text` renders it with the
    /// placeholder for the token.
    pub(super) fn page(
        &self,
        which: Which,
        shown: Shown<'_>,
        text: impl FnOnce(&str) -> String,
    ) -> Arc<Page> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let young = kept.young.get(&which).filter(|page| page.shows(shown));
        if let Some(page) = young {
            return page.clone();
        }
        let old = kept
            .old
            .get(&which)
            .filter(|page| page.shows(shown))
            .cloned();
        drop(kept);
        let page = old.unwrap_or_else(|| {
            let page = Page::new(shown, &text(&self.mark), &self.mark, &self.tags);
            Arc::new(page)
        });
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        kept.keep(which, page.clone());
        page
    }

    /// Returns the tag of the body for a visitor.
    pub(super) fn tag(&self, page: &Page, token: Token, is_zipped: bool) -> u64 {
        self.tags.hash_one((page.tag, token.text(), is_zipped))
    }
}

/// Renders a template.
pub(super) fn render(template: &impl Template) -> String {
    // Writing into a string cannot fail.
    template.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use hyper::body::Buf;

    use super::*;

    fn text(rendered: &Rendered, which: Which, shown: Shown<'_>, text: &str) -> String {
        let page = rendered.page(which, shown, |mark| format!("{text} {mark}!"));
        let token = Token::read(&[b'1'; 32]).expect("a token");
        let (mut sent, _) = page.sent(token, false);
        let bytes = sent.copy_to_bytes(sent.remaining());
        String::from_utf8_lossy(&bytes).replace(&"1".repeat(32), "1")
    }

    #[test]
    fn a_page_is_rendered_again_when_it_shows_something_else() {
        let (rendered, root) = (Rendered::default(), Node::new());
        let page = |shown, new| text(&rendered, Which::Boards, shown, new);
        assert_eq!(page((&root, None), "a"), "a 1!");
        assert_eq!(page((&root, None), "b"), "a 1!", "the node is the same");
        let other = root.add_child_at(&[]).expect("a root has children");
        assert_eq!(page((&other, None), "c"), "c 1!");
        assert_eq!(
            page((&root, None), "d"),
            "d 1!",
            "an older version, as after a restart"
        );
        let equal = Node::new();
        assert_eq!(page((&equal, None), "e"), "e 1!", "it is another node");
        let [tea, coffee] = ["tea", "coffee"].map(|name| Value::from(name.as_bytes()));
        assert_eq!(page((&equal, Some(&tea)), "f"), "f 1!");
        assert_eq!(page((&equal, Some(&coffee)), "g"), "g 1!");
    }

    #[test]
    fn only_so_many_bytes_are_kept_those_that_were_asked_for_last() {
        let (rendered, root) = (Rendered::default(), Node::new());
        let long = "x".repeat(limits::RENDERED / 64);
        let page =
            |number, new: &str| text(&rendered, Which::Message(0, number), (&root, None), new);
        let first = page(0, "first");
        for number in 1..200 {
            page(number, &long);
            assert_eq!(page(0, "again"), first);
            let kept = rendered.kept.read().expect("nobody panics");
            let all = kept.young.values().chain(kept.old.values());
            assert!(all.map(|page| page.size()).sum::<usize>() <= limits::RENDERED);
        }
        assert!(page(1, "new").starts_with("new"), "it is kept no longer");
        let larger = "x".repeat(limits::RENDERED);
        page(1, &larger);
        assert!(page(1, "new").starts_with("new"), "it is too large");
    }

    #[test]
    fn tags_differ_by_text_and_by_visitor() {
        let rendered = Rendered::default();
        let page =
            |text: &str| rendered.page(Which::Boards, (&Node::new(), None), |_| text.to_owned());
        let [one, other] = [b'1', b'2'].map(|digit| Token::read(&[digit; 32]).expect("a token"));
        let tag = rendered.tag(&page("a"), one, false);
        assert_eq!(
            rendered.tag(&page("a"), one, false),
            tag,
            "of another node, but equal"
        );
        assert_ne!(rendered.tag(&page("b"), one, false), tag);
        assert_ne!(rendered.tag(&page("a"), other, false), tag);
        assert_ne!(rendered.tag(&page("a"), one, true), tag);
    }
}
