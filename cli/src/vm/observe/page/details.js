// The details of one process. While they are open, they are requested from the node once a second.
import { pretty } from "./state.js";
import { bytes, count, element, plural, sentence, write } from "./text.js";

const INTERVAL = 1000;

export class Details {
  constructor(processes) {
    this.processes = processes;
    this.pid = null;
    this.mayWrite = false;
    this.panel = document.getElementById("details");
    this.body = document.getElementById("details-body");
    this.title = document.getElementById("details-title");
  }

  open(pid) {
    this.pid = pid;
    this.panel.dataset.pid = pid;
    this.panel.hidden = false;
    this.said = "";
    this.since = "";
    this.status = null;
    this.folds = new Map();
    this.body.replaceChildren();
    write(this.title, this.processes.get(pid)?.name ?? pid);
    write(document.getElementById("done"), "");
    this.actions();
    this.title.focus({ preventScroll: true });
    this.panel.scrollIntoView({ block: "nearest" });
    clearTimeout(this.timer);
    this.ask();
  }

  close() {
    clearTimeout(this.timer);
    this.pid = null;
    delete this.panel.dataset.pid;
    this.panel.hidden = true;
  }

  async ask() {
    const pid = this.pid;
    try {
      const response = await fetch(`process?${new URLSearchParams({ pid, since: this.since })}`);
      const text = response.ok ? await response.text() : null;
      // Unchanged elements are not replaced, so the user's selection in them stays.
      if (this.pid === pid) this.actions();
      if (this.pid === pid && text !== null && text !== this.said) {
        this.said = text;
        this.show(JSON.parse(text));
      }
    } catch {
      // If the node is gone, the stream of events reports it.
    }
    if (this.pid === pid) this.timer = setTimeout(() => this.ask(), INTERVAL);
  }

  show(process) {
    if (process.ended) {
      this.body.replaceChildren(element("p", { className: "notice" }, "This process has ended."));
      return;
    }
    if (process.busy) {
      const text = process.callback
        ? "This process does not answer until its callback has ended."
        : "This process does not answer: it is in native code on a normal scheduler, or the node has too much to do.";
      const callback = process.callback ? [list([["Callback", sentence(process.callback)]])] : [];
      this.body.replaceChildren(element("p", { className: "notice" }, text), ...callback);
      return;
    }
    // The node leaves out the Rust part of the answer while the process does nothing.
    this.since = process.since;
    if (process.rust !== undefined) this.status = process.rust;
    write(this.title, process.name ?? process.pid);
    this.body.replaceChildren(
      ...this.rust(this.status),
      this.facts(process),
      element("h3", {}, "Stack"),
      element("pre", {}, process.frames.join("\n") || "–"),
      ...this.others("Links", process.links),
      ...this.others("Monitors", process.monitors),
      ...this.others("Monitored by", process.monitored_by),
    );
  }

  /** The state and what runs in it, where the callbacks are Rust. */
  rust(status) {
    if (!status) return [];
    const words = {
      secret: "The module declares its state secret.",
      none: "No state in Rust.",
      unknown: "Not known: the process is in a callback or has other work, and is not asked.",
    };
    const state = status.state.text === undefined
      ? element("p", { id: "state", className: "notice" }, words[status.state.word])
      : element("pre", { id: "state" }, ...pretty(status.state.text, this.folds));
    const activities = { idle: "waits for messages", awaiting: "awaits in a callback", running: "runs a callback", busy: "is busy" };
    const module = status.behaviour ? `${status.module}, a ${status.behaviour}` : status.module;
    const callback = status.callback ? [["Callback", sentence(status.callback)]] : [];
    const isolated = status.isolated
      ? [["Isolated", `in OS process ${status.isolated}. Its state comes from there; the rest is of the process that stands for it here.`]]
      : [];
    const facts = [["Module", module], ["Activity", activities[status.activity]], ...callback, ...isolated, ["Tasks", count(status.tasks)]];
    const long = status.long.map((one) => element("li", {}, `${one.callback}: ${plural(one.times, "time")}, up to ${count(one.ms)} ms`));
    const longs = long.length ? [element("h3", {}, "Long callbacks"), element("ul", {}, ...long)] : [];
    return [element("h3", {}, "Rust state"), state, list(facts), ...longs];
  }

  facts(process) {
    return list([
      ["Pid", process.pid],
      ["Begun with", process.module],
      ["Status", process.status],
      ["Mailbox", plural(process.mailbox, "message")],
      ["Memory", `${bytes(process.memory)}, heap ${bytes(process.heap)}, stack ${bytes(process.stack)}`],
      ["Reductions", count(process.reductions)],
      ["Collections", count(process.collections)],
      ["Traps exits", process.traps_exits ? "yes" : "no"],
      ["Priority", process.priority],
    ]);
  }

  others(title, { count: all, first }) {
    if (all === 0) return [];
    const items = first.map((other) => {
      if (!other.pid) return element("li", {}, other.text);
      const name = this.processes.get(other.pid)?.registered;
      const button = element("button", { type: "button", className: "name" }, name ? `${name} ${other.pid}` : other.pid);
      button.addEventListener("click", () => this.open(other.pid));
      return element("li", {}, button);
    });
    const more = all > first.length ? [element("li", { className: "quiet" }, `… ${count(all - first.length)} more`)] : [];
    return [element("h3", {}, title), element("ul", {}, ...items, ...more)];
  }

  /** What may be done, if the command allows it. The buttons stay while the rest is written anew, unless there are others. */
  actions() {
    const pid = this.pid;
    const name = this.processes.get(pid)?.registered;
    const process = name ? `${name} ${pid}` : pid;
    const place = this.parents.place(pid);
    const offered = [process, place?.supervisor, place?.id].join();
    if (!this.mayWrite || this.offered === offered) return;
    this.offered = offered;
    const all = [this.action("Collect garbage", "Collect", `Collect the garbage of ${process}?`, { action: "collect", pid })];
    if (place?.id) {
      const question = `Stop the child ${place.id} in order, and start it again?`;
      all.push(this.action("Restart", "Restart", question, { action: "restart", pid: place.supervisor, id: place.id }));
    }
    const question = `Kill ${process}? What it does and its state are lost, and its supervisor decides what follows.`;
    all.push(this.action("Kill", "Kill", question, { action: "kill", pid }));
    document.getElementById("actions").replaceChildren(...all);
  }

  action(label, verb, question, parameters) {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", async () => {
      if (!(await confirmed(question, verb))) return;
      const response = await fetch("action", { method: "POST", body: new URLSearchParams(parameters) });
      const text = response.ok ? (await response.json()).done : await response.text();
      write(document.getElementById("done"), text);
    });
    return button;
  }
}

function list(facts) {
  return element("dl", { className: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

/** Asks in the page. The safe answer is the first one. */
function confirmed(question, verb) {
  const at = (id) => document.getElementById(id);
  write(at("confirm-text"), question);
  write(at("confirm-yes"), verb);
  const dialog = at("confirm");
  dialog.showModal();
  return new Promise((resolve) => {
    const answer = (isMeant) => {
      resolve(isMeant);
      dialog.close();
    };
    at("confirm-yes").onclick = () => answer(true);
    at("confirm-no").onclick = () => answer(false);
    // Escape also closes the dialog. The event arrives later, so it may belong to the previous question while this one is open.
    dialog.onclose = () => {
      if (!dialog.open) resolve(false);
    };
  });
}
