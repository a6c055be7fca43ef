"use strict";

const devices = document.querySelector("#devices");
const message = document.querySelector("#message");
const connection = document.querySelector("#connection");

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

// What a schema says can be set by a control of its own; everything else is shown.
function control(device, property) {
  const { schema, value } = property;
  if (!property.settable || !schema) return element("output", text(value, schema));
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

function text(value, schema) {
  const parts = value && typeof value === "object" ? Object.entries(value) : undefined;
  const shown = parts ? parts.map(([name, part]) => `${name} ${text(part)}`).join(", ") : String(value);
  const unit = schema && schema["x-unit"];
  return unit ? `${shown} ${unit === "Celsius" ? "°C" : unit}` : shown;
}

function show(device) {
  const id = `d-${device.address.replaceAll(".", "-")}-${device.object}`;
  let section = document.getElementById(id);
  const focused = section && section.contains(document.activeElement) && document.activeElement.closest("label");
  const rows = device.properties.map((property) => {
    const epc = property.epc.toString(16).toUpperCase();
    // What somebody is typing stays.
    if (focused && focused.dataset.epc === epc && focused.querySelector("input[type=number]")) return focused;
    const label = element("label", undefined, { "data-epc": epc });
    label.append(element("span", property.name), control(device, property));
    return label;
  });
  if (!section) {
    section = element("section", undefined, { id });
    const after = [...devices.children].find((other) => other.id > id);
    devices.insertBefore(section, after || null);
  }
  const epc = focused && focused.dataset.epc;
  section.replaceChildren(element("h2", device.class), element("p", `${device.object} at ${device.address}`), ...rows);
  if (epc) section.querySelector(`[data-epc="${epc}"] :is(input, select)`)?.focus();
}

const events = new EventSource("/events");
events.onopen = () => (connection.textContent = "live");
events.onerror = () => (connection.textContent = "not connected");
events.onmessage = (event) => show(JSON.parse(event.data));
