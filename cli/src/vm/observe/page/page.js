// The page: it keeps the data that the node has sent, and shows them.
import { bytes, count, duration, element, plural, sentence, write } from "./text.js";
import { Details } from "./details.js";
import { Log } from "./log.js";
import { Tree } from "./tree.js";

/** The rows that are shown at a time: a browser is slow with more. */
const SHOWN = 200;

const at = (id) => document.getElementById(id);
const processes = new Map();
const order = { key: "rate", up: false };
const lines = new Map();
let isPaused = false;
let isDrawn = true;

const details = new Details(processes);
const tree = new Tree(processes, (pid) => select(pid));
const log = new Log((pid) => select(pid));

/** What the node says of a process, in its order. */
function processOf([pid, name, module, isRust, status, mailbox, memory, rate, current, callback]) {
  return { pid, name: name ?? module, registered: name, module, isRust, status, mailbox, memory, rate, current: said(callback) ?? current ?? "" };
}

/** The callback that is under way says more than the function of the VM. */
function said(callback) {
  return callback ? sentence({ callback: callback[0], place: callback[1], since: callback[2] }) : null;
}

function take(event) {
  if (event.all) {
    processes.clear();
    log.clear();
  }
  for (const row of event.rows) processes.set(row[0], processOf(row));
  for (const pid of event.gone) processes.delete(pid);
  if (event.tree) tree.take(event.tree);
  log.take(event.logs, event.lost);
  figures(event.node);
  draw();
}

/** At most once for each frame, and nothing while the page is not seen. */
function draw() {
  if (!isDrawn || isPaused) return;
  isDrawn = false;
  requestAnimationFrame(() => {
    isDrawn = true;
    drawRows();
    tree.draw();
  });
}

function chosen() {
  const words = at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const onlyRust = at("only-rust").checked;
  const fits = (process) => {
    const text = `${process.pid} ${process.name} ${process.module} ${process.current}`.toLowerCase();
    return (!onlyRust || process.isRust) && words.every((word) => text.includes(word));
  };
  const { key, up } = order;
  const compare = (a, b) =>
    (typeof a[key] === "number" ? a[key] - b[key] : a[key].localeCompare(b[key])) * (up ? 1 : -1) || a.pid.localeCompare(b.pid);
  return [...processes.values()].filter(fits).sort(compare);
}

function drawRows() {
  const all = chosen();
  const shown = all.slice(0, SHOWN);
  const kept = new Set(shown.map((process) => process.pid));
  for (const [pid, line] of lines) {
    if (!kept.has(pid)) {
      line.row.remove();
      lines.delete(pid);
    }
  }
  const body = at("rows");
  shown.forEach((process, index) => {
    const line = lines.get(process.pid) ?? newLine(process.pid);
    fill(line, process);
    if (body.children[index] !== line.row) body.insertBefore(line.row, body.children[index] ?? null);
  });
  const hidden = all.length - shown.length;
  write(at("more"), hidden > 0 ? `${plural(hidden, "more process")}: a filter or another order shows them.` : all.length ? "" : "No process fits.");
}

function newLine(pid) {
  const name = element("button", { type: "button", className: "name" });
  const badge = element("span", { className: "badge" });
  const module = element("span", { className: "quiet" });
  const cells = ["rate", "mailbox", "memory"].map(() => element("td", { className: "number" }));
  const spare = ["status", "function"].map((className) => element("td", { className }));
  const row = element("tr", {}, element("th", { scope: "row" }, name, badge, module), ...cells, ...spare);
  row.dataset.pid = pid;
  row.addEventListener("click", () => select(pid));
  const line = { row, name, badge, module, cells: [...cells, ...spare] };
  lines.set(pid, line);
  return line;
}

function fill({ row, name, badge, module, cells }, process) {
  write(name, process.registered ?? process.pid);
  write(badge, process.isRust ? "Rust" : "");
  write(module, [process.registered ? process.pid : "", process.module === process.registered ? "" : process.module].filter(Boolean).join(" "));
  const texts = [count(process.rate), count(process.mailbox), bytes(process.memory), process.status.replace("_", " "), process.current];
  texts.forEach((text, index) => write(cells[index], text));
  cells[1].classList.toggle("alarm", process.mailbox >= 1000);
  row.classList.toggle("selected", details.pid === process.pid);
}

function select(pid) {
  details.open(pid);
  drawRows();
  tree.draw();
}

function figures(node) {
  at("held").hidden = !node.held;
  if (node.memory === undefined) return;
  const share = (thousandths) => `${Math.round(thousandths / 10)} %`;
  const use = node.schedulers.length ? node.schedulers.reduce((sum, one) => sum + one, 0) / node.schedulers.length : null;
  const all = [
    ["Schedulers", use === null ? "–" : share(use), node.schedulers],
    ["Run queue", count(node.run_queue)],
    ["Processes", `${count(node.processes)}`, null, `of at most ${count(node.process_limit)}`],
    ["Memory", bytes(node.memory.total), null, `processes ${bytes(node.memory.processes)}, binaries ${bytes(node.memory.binary)}, tables ${bytes(node.memory.ets)}, code ${bytes(node.memory.code)}, atoms ${bytes(node.memory.atom)}`],
    ["Reductions/s", count(node.reductions)],
    ["Ports", count(node.ports)],
    ["Up", duration(node.uptime)],
  ];
  at("figures").replaceChildren(...all.map(([name, value, bars, hint]) => element("div", { title: hint ?? "" }, element("dt", {}, name), element("dd", {}, value, bars ? meter(bars) : null))));
  const own = node.own;
  const rate = own.reductions === null ? "" : `, ${count(own.reductions)} reductions/s of the node's ${count(node.reductions)}`;
  write(at("cost"), `Observing takes ${count(own.took)} ms of one scheduler every ${duration(own.interval)}${rate}. Nothing is read while no page is open.`);
}

/** A bar for each scheduler. */
function meter(thousandths) {
  const bars = thousandths.slice(0, 64).map((one) => {
    const bar = element("i");
    bar.style.setProperty("--use", one / 1000);
    return bar;
  });
  return element("span", { className: "meter", ariaHidden: "true" }, ...bars);
}

function connect() {
  const stream = new EventSource("events");
  const say = (text, state) => {
    write(at("connection"), text);
    at("connection").dataset.state = state;
  };
  stream.onmessage = (message) => {
    say("live", "live");
    take(JSON.parse(message.data));
  };
  stream.onerror = () => say(stream.readyState === EventSource.CLOSED ? "refused: start cargo otp observe again" : "no connection to the node", "lost");
}

function controls() {
  for (const head of document.querySelectorAll("th[data-key]")) {
    head.querySelector("button").addEventListener("click", () => {
      order.up = order.key === head.dataset.key ? !order.up : ["name", "status", "current"].includes(head.dataset.key);
      order.key = head.dataset.key;
      marked();
      drawRows();
    });
  }
  for (const id of ["filter", "only-rust"]) at(id).addEventListener("input", drawRows);
  at("pause").addEventListener("click", () => {
    isPaused = !isPaused;
    at("pause").setAttribute("aria-pressed", isPaused);
    draw();
  });
  at("close").addEventListener("click", () => {
    details.close();
    drawRows();
    tree.draw();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !at("confirm").open && details.pid) at("close").click();
  });
  marked();
}

function marked() {
  for (const head of document.querySelectorAll("th[data-key]")) {
    const direction = order.up ? "ascending" : "descending";
    head.ariaSort = head.dataset.key === order.key ? direction : "none";
  }
}

const about = await (await fetch("about")).json();
write(at("node"), about.node);
document.title = `${about.node} – observer`;
write(at("mode"), about.may_write ? "may change processes" : "read-only");
at("mode").dataset.state = about.may_write ? "write" : "read";
details.mayWrite = about.may_write;
details.parents = tree;
controls();
connect();
