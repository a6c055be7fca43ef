// Formats a state: the text that Rust or Erlang prints for a value, with a line for each part, and parts that fold.
import { element } from "./text.js";

/** A value of at most so many characters stands in one line. */
const WIDTH = 56;
/** What lies deeper, and what has more parts, is folded at first. */
const OPEN_LEVELS = 3;
const OPEN_PARTS = 40;
/** Deeper values are texts. */
const DEEPEST = 100;

const CLOSING = { "{": "}", "[": "]", "(": ")" };

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  get next() {
    return this.text[this.at];
  }

  /** Behind a text in quotes. */
  skipText() {
    for (this.at += 1; this.at < this.text.length && this.next !== '"'; this.at += 1) {
      if (this.next === "\\") this.at += 1;
    }
    this.at += 1;
  }

  /** The pieces of a value: texts, and groups of values between brackets. */
  value(depth) {
    const pieces = [];
    let from = this.at;
    const flush = () => this.at > from && pieces.push(this.text.slice(from, this.at));
    while (this.at < this.text.length) {
      if (this.next === '"') {
        this.skipText();
      } else if (this.next in CLOSING && depth < DEEPEST) {
        flush();
        pieces.push(this.group(depth + 1));
        from = this.at;
      } else if (depth > 0 && ",}])".includes(this.next)) {
        break;
      } else {
        this.at += 1;
      }
    }
    flush();
    return pieces;
  }

  group(depth) {
    const open = this.next;
    const values = [];
    this.at += 1;
    while (this.at < this.text.length && this.next !== CLOSING[open]) {
      values.push(this.value(depth));
      if (this.next !== CLOSING[open]) this.at += 1;
    }
    this.at += 1;
    return { open, values, close: CLOSING[open] };
  }
}

function flat(pieces) {
  const text = (piece) => (typeof piece === "string" ? piece : `${piece.open}${piece.values.map(flat).join(",")}${piece.close}`);
  return pieces.map(text).join("");
}

/** The state's text as nodes. `folds` keeps, by the place of a part, whether the reader has opened or closed it. */
export function pretty(text, folds) {
  const pieces = new Reader(text).value(0);
  // A text that cannot be parsed, or that was cut, is shown unchanged.
  if (text.length <= WIDTH || flat(pieces) !== text) return [text];
  return shown(pieces, 0, "", folds);
}

function shown(pieces, level, place, folds) {
  const text = flat(pieces).trim();
  const groups = pieces.filter((piece) => typeof piece !== "string");
  if (groups.length !== 1 || groups[0].values.length === 0 || text.length + 2 * level <= WIDTH) return [text];
  const [group] = groups;
  const index = pieces.indexOf(group);
  const [before, after] = [flat(pieces.slice(0, index)).trimStart(), flat(pieces.slice(index + 1)).trimEnd()];
  const lines = group.values.map((value, number) => element("div", {}, ...shown(value, level + 1, `${place}.${number}`, folds), ","));
  const summary = element("summary", {}, `${before}${group.open}`);
  summary.dataset.rest = ` ${group.values.length} … ${group.close}`;
  const fold = element("details", {}, summary, element("div", { className: "parts" }, ...lines), `${group.close}${after}`);
  fold.open = folds.get(place) ?? (level < OPEN_LEVELS && group.values.length <= OPEN_PARTS);
  summary.addEventListener("click", () => folds.set(place, !fold.open));
  return [fold];
}
