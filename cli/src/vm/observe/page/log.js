// The last events of the node's logger.
import { element, plural, write } from "./text.js";

const KEPT = 500;
const SEVERE = ["emergency", "alert", "critical", "error"];

export class Log {
  constructor(select) {
    this.select = select;
    this.list = document.getElementById("events");
  }

  clear() {
    this.list.replaceChildren();
  }

  /** The newest stay in view, if they were in view. */
  take(events, lost) {
    const { scrollTop, scrollHeight, clientHeight } = this.list;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 20;
    this.list.append(...events.map((event) => this.item(event)));
    while (this.list.children.length > KEPT) this.list.firstElementChild.remove();
    if (isAtEnd) this.list.scrollTop = this.list.scrollHeight;
    write(document.getElementById("lost"), lost > 0 ? `${plural(lost, "event")} came too fast to be kept` : "");
  }

  item({ time, level, pid, text }) {
    const date = new Date(time);
    const when = element("time", { dateTime: date.toISOString() }, date.toLocaleTimeString([], { hour12: false }));
    const who = pid ? element("button", { type: "button", className: "name" }, pid) : null;
    who?.addEventListener("click", () => this.select(pid));
    const severity = SEVERE.includes(level) ? "error" : level === "warning" ? "warning" : "info";
    return element("li", {}, when, element("span", { className: `level ${severity}` }, level), who, element("pre", {}, text));
  }
}
