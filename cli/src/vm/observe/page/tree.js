// The supervision trees.
import { count, element, write } from "./text.js";

export class Tree {
  constructor(processes, select) {
    this.processes = processes;
    this.select = select;
    this.lines = [];
    this.children = new Map();
  }

  /** What the node says: the entries of each application, each before its children. */
  take(applications) {
    this.lines = [];
    this.children.clear();
    const parts = applications.flatMap(({ application, entries }) => {
      const above = [];
      const items = entries.map((entry) => {
        above[entry.depth] = entry.pid;
        if (entry.pid && entry.depth > 0) this.children.set(entry.pid, { supervisor: above[entry.depth - 1], id: entry.id });
        return this.item(entry, above[entry.depth - 1]);
      });
      return [element("h3", {}, application), element("ul", {}, ...items)];
    });
    document.getElementById("tree").replaceChildren(...parts);
  }

  item(entry, supervisor) {
    const item = element("li", { className: entry.kind ?? "omitted" });
    item.style.setProperty("--depth", Math.min(entry.depth, 20));
    item.setAttribute("aria-level", entry.depth + 1);
    if (entry.omitted) {
      item.append(element("span", { className: "quiet" }, `… ${entry.omitted}`));
      return item;
    }
    const label = element("button", { type: "button", className: "name" });
    const mailbox = element("span", { className: "count" });
    item.append(label, mailbox);
    if (entry.pid) {
      label.addEventListener("click", () => this.select(entry.pid));
    } else {
      label.disabled = true;
      item.append(element("span", { className: "quiet" }, entry.state === "restarting" ? " restarting" : " not running"));
    }
    this.lines.push({ entry, item, label, mailbox, supervisor });
    return item;
  }

  /** Names and mailboxes, which come with the processes. */
  draw() {
    const selected = document.getElementById("details").dataset.pid;
    for (const { entry, item, label, mailbox } of this.lines) {
      const process = this.processes.get(entry.pid);
      write(label, process?.registered ?? entry.id ?? process?.module ?? entry.pid ?? "…");
      write(mailbox, process && process.mailbox > 0 ? count(process.mailbox) : "");
      mailbox.title = "messages in the mailbox";
      item.classList.toggle("selected", entry.pid !== undefined && entry.pid === selected);
    }
  }

  /** The supervisor of a process, and the id that the process has there. */
  place(pid) {
    return this.children.get(pid);
  }
}
