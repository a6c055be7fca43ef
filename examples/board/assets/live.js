// Improvements for browsers with scripts: new messages appear by themselves, times are local, and the author's name is remembered.
const zone = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const local = (root) => root.querySelectorAll("time[data-at]").forEach((time) => {
  time.textContent = zone.format(new Date(Number(time.dataset.at)));
});
local(document);

const author = document.querySelector("input[name=author]");
if (author) {
  author.value ||= localStorage.getItem("author") ?? "";
  author.form.addEventListener("submit", () => localStorage.setItem("author", author.value));
}

const shown = document.querySelector("[data-events]");
if (shown) {
  let asks = false, again = false;
  // The server renders the messages; the script only replaces the old ones.
  const refresh = async () => {
    if (asks) { again = true; return; }
    asks = true;
    const reply = await fetch(location.pathname).catch(() => null);
    if (reply?.ok) {
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const known = new Set([...shown.querySelectorAll("article")].map((message) => message.id));
      const messages = document.importNode(page.getElementById("messages"), true);
      messages.querySelectorAll("article").forEach((message) => known.has(message.id) || message.classList.add("new"));
      local(messages);
      shown.replaceChildren(...messages.childNodes);
    }
    asks = false;
    if (again) { again = false; refresh(); }
  };
  const events = new EventSource(shown.dataset.events);
  let before = false;
  events.addEventListener("changed", refresh);
  // Events may have been missed while the connection was interrupted.
  events.addEventListener("ready", () => { if (before) refresh(); before = true; shown.dataset.live = "yes"; });
}
