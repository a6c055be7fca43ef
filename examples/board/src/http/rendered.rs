//! Pages that were rendered before. A node is never changed, so a page is right as long as the tree
//! has the same node there.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

use askama::Template;
use jungle_trees::node::Node;

/// So many pages are kept.
const KEPT: usize = 512;

/// Which page it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Which {
    Boards,
    Board(u64, Option<u64>),
    Message(u64, u64),
}

/// The text before, between and after the tokens of its forms.
type Parts = Arc<[String]>;

/// Pages, with the nodes of which they were made.
pub(super) struct Rendered {
    pages: RwLock<HashMap<Which, (Node, Parts)>>,
    /// What templates have in the place of the token. Nobody can write it into a message, as nobody
    /// knows it.
    mark: String,
}

impl Default for Rendered {
    fn default() -> Self {
        let [high, low] = [0, 1].map(|number: u64| RandomState::new().hash_one(number));
        Rendered {
            pages: RwLock::default(),
            mark: format!("{high:016x}{low:016x}"),
        }
    }
}

impl Rendered {
    /// The page of a node, with the token.
    pub(super) fn page<'r, T: Template>(
        &'r self,
        which: Which,
        node: &Node,
        token: &str,
        template: impl FnOnce(&'r str) -> T,
    ) -> String {
        let pages = self.pages.read().unwrap_or_else(PoisonError::into_inner);
        let known = pages.get(&which).filter(|(of, _)| of.is_same(node));
        let known = known.map(|(_, parts)| parts.clone());
        drop(pages);
        known
            .unwrap_or_else(|| self.render(which, node, &template(&self.mark)))
            .join(token)
    }

    fn render(&self, which: Which, node: &Node, template: &impl Template) -> Parts {
        let page = render(template);
        let parts: Parts = page.split(&self.mark).map(str::to_owned).collect();
        let mut pages = self.pages.write().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= KEPT {
            pages.clear();
        }
        pages.insert(which, (node.clone(), parts.clone()));
        parts
    }
}

/// A template's text.
pub(super) fn render(template: &impl Template) -> String {
    // Writing into a string does not fail.
    template.render().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Template)]
    #[template(source = "{{ text }} {{ token }}", ext = "html")]
    struct Page<'p> {
        text: &'p str,
        token: &'p str,
    }

    #[test]
    fn a_page_is_rendered_again_when_its_node_is_another_one() {
        let (rendered, root) = (Rendered::default(), Node::new());
        let page = |node: &Node, text, token| {
            rendered.page(Which::Boards, node, token, |token| Page { text, token })
        };
        assert_eq!(page(&root, "a", "1"), "a 1");
        assert_eq!(page(&root, "b", "2"), "a 2", "the node is the same");
        let other = root.add_child_at(&[]).expect("a root has children");
        assert_eq!(page(&other, "<b>", "3"), "&#60;b&#62; 3");
    }
}
