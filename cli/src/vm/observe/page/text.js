// Formats values. Elements get text only, so data from a node are never read as HTML.

/** An element with properties, and with children that are elements or texts. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Changes a text only where it differs, so that a selection stays. */
export function write(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

const grouped = new Intl.NumberFormat("en");

export function count(number) {
  return number === null || number === undefined ? "–" : grouped.format(number);
}

export function bytes(number) {
  if (number === null || number === undefined) return "–";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit += 1;
  }
  return `${unit === 0 || number >= 100 ? Math.round(number) : number.toFixed(1)} ${units[unit]}`;
}

/** Milliseconds, in the two largest units. */
export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 86400), "d"],
    [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return "0 s";
  return parts.slice(first, first + 2).map(([value, unit]) => `${value} ${unit}`).join(" ");
}

export function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}

const PLACES = { running: "runs", dirty_cpu: "runs on a dirty CPU scheduler", dirty_io: "runs on a dirty IO scheduler", waiting: "waits" };

/** A callback that is under way: where it is, since when, and what it waits for. */
export function sentence({ callback, place, since, awaits }) {
  const time = new Date(since * 1000).toLocaleTimeString([], { hour12: false });
  return `${callback} ${PLACES[place]}${awaits ? ` for ${awaits}` : ""}, begun at ${time}`;
}
