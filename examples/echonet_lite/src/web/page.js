"use strict";

const devices = document.querySelector("#devices");
const message = document.querySelector("#message");
const connection = document.querySelector("#connection");
const looking = document.querySelector("#looking");

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

async function set(device, property, value) {
  const { address, object } = device;
  const response = await fetch("/set", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ address, object, epc: property.epc, value }),
  });
  message.hidden = response.ok;
  if (!response.ok) message.textContent = `${device.class}, ${property.name}: ${await response.text()}`;
}

// The codes of installation locations, in steps of eight; the lowest three bits are a number.
const PLACES = ["not set", "living room", "dining room", "kitchen", "bathroom", "lavatory", "washroom", "passageway", "room",
  "stairs", "front door", "storeroom", "garden", "garage", "balcony", "other"];

function place(code) {
  const number = code & 7;
  return PLACES[code >> 3] + (number ? ` ${number}` : "");
}

// A property's value may have one of several types, such as a number or a word.
function kinds(schema) {
  return schema.anyOf || [schema];
}

// A property that can be set gets a control that fits its schema; all others are only shown.
function control(device, property) {
  const { value } = property;
  if (property.name === "installationLocation" && /^[0-7][0-9A-F]$/.test(value)) return location_control(device, property);
  const all = property.schema ? kinds(property.schema) : [];
  const numeric = all.find((it) => it.type === "integer" || it.type === "number");
  const words = all.flatMap((it) => it.enum || []);
  const schema = all.length > 1 && numeric ? numeric : property.schema;
  if (!property.settable || !schema) return element("output", text(value, numeric || schema));
  if (numeric && words.length) return number_or_word(device, property, numeric, words);
  if (schema.type === "boolean") {
    const box = element("input", undefined, { type: "checkbox" });
    box.checked = value;
    box.onchange = () => set(device, property, box.checked);
    return box;
  }
  if (schema.enum) {
    const list = element("select");
    for (const name of schema.enum) list.append(element("option", name));
    list.value = value;
    list.onchange = () => set(device, property, list.value);
    return list;
  }
  if (schema.type === "integer" || schema.type === "number") {
    const { minimum, maximum, multipleOf = 1 } = schema;
    const input = element("input", undefined, { type: "number", min: minimum, max: maximum, step: multipleOf });
    input.value = value;
    input.onchange = () => set(device, property, input.valueAsNumber);
    return input;
  }
  return element("output", text(value, schema));
}

function location_control(device, property) {
  const code = parseInt(property.value, 16);
  if (!property.settable) return element("output", place(code));
  const list = element("select");
  const codes = [...PLACES.keys()].map((at) => at << 3);
  for (const it of codes.includes(code) ? codes : [code, ...codes]) list.append(element("option", place(it), { value: it }));
  list.value = code;
  list.onchange = () => set(device, property, Number(list.value).toString(16).toUpperCase().padStart(2, "0"));
  return list;
}

// Returns a field for a number; the words of the same property are suggestions in this field.
function number_or_word(device, property, { minimum, maximum }, words) {
  const list = `w-${device.address.replaceAll(".", "-")}-${device.object}-${property.epc}`;
  const input = element("input", undefined, { type: "text", inputmode: "numeric", list, title: `${minimum} to ${maximum}, or ${words.join(", ")}` });
  const suggestions = element("datalist", undefined, { id: list });
  for (const word of words) suggestions.append(element("option", word));
  input.value = property.value;
  input.onchange = () => set(device, property, words.includes(input.value) ? input.value : Number(input.value));
  const both = element("span");
  both.append(input, suggestions);
  return both;
}

function text(value, schema) {
  const parts = value && typeof value === "object" ? Object.entries(value) : undefined;
  const shown = parts ? parts.map(([name, part]) => `${name} ${text(part)}`).join(", ") : String(value);
  const unit = schema && schema["x-unit"];
  return unit ? `${shown} ${unit === "Celsius" ? "°C" : unit}` : shown;
}

// Returns a name with its unit.
function named({ name, schema }) {
  const unit = schema && kinds(schema).map((it) => it["x-unit"]).find(Boolean);
  return unit ? `${name} (${unit === "Celsius" ? "°C" : unit})` : name;
}

// Returns the state of a device, with the time at which its newest value was read.
function state({ object, address, answers, problem, properties }) {
  const seen = Math.max(0, ...properties.map((it) => it.seen));
  const read = seen ? `, read ${new Date(seen * 1000).toLocaleTimeString()}` : "";
  return `${object} at ${address}${read}${answers ? "" : ", does not answer"}${problem ? `; ${problem}` : ""}`;
}

function show(device) {
  const id = `d-${device.address.replaceAll(".", "-")}-${device.object}`;
  let section = document.getElementById(id);
  if (device.forgotten) return section?.remove();
  looking.hidden = true;
  const focused = section && section.contains(document.activeElement) && document.activeElement.closest("label");
  const rows = device.properties.map((property) => {
    const epc = property.epc.toString(16).toUpperCase();
    // Do not overwrite text that the user is typing.
    if (focused && focused.dataset.epc === epc && focused.querySelector("input:not([type=checkbox])")) return focused;
    const label = element("label", undefined, { "data-epc": epc });
    const made = control(device, property);
    made.title ||= `${property.name}, seen ${new Date(property.seen * 1000).toLocaleTimeString()}`;
    label.append(element("span", named(property)), made);
    return label;
  });
  if (!section) {
    section = element("section", undefined, { id });
    const after = [...devices.children].find((other) => other.id > id);
    devices.insertBefore(section, after || null);
  }
  const epc = focused && focused.dataset.epc;
  section.replaceChildren(element("h2", device.class), element("p", state(device)), ...rows);
  section.classList.toggle("silent", !device.answers);
  if (epc) section.querySelector(`[data-epc="${epc}"] :is(input, select)`)?.focus();
}

const events = new EventSource("/events");
// Each connection starts with the whole list.
events.onopen = () => {
  connection.textContent = "live";
  devices.replaceChildren();
  looking.hidden = false;
};
events.onerror = () => (connection.textContent = "not connected");
events.onmessage = (event) => show(JSON.parse(event.data));
