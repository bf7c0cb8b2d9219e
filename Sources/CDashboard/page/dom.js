// Elements are made here and nowhere else; what comes from outside goes in as text, never as markup.

const byID = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. A value of null, undefined or false leaves an attribute out. */
function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same in SVG. */
function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

/** Sets an element's text if it is another one: what stays the same is not read out again. */
function say(id, text) {
  const node = byID(id);
  if (node.textContent !== text) node.textContent = text;
}

const show = (id, isShown) => { byID(id).hidden = !isShown; };
const fill = (id, ...children) => byID(id).replaceChildren(...children.flat());
const pill = (text, tone) => el("span", { class: `pill ${tone}` }, text);
const sub = (text) => el("span", { class: "sub" }, text);
const pairOf = (term, ...definition) => [el("dt", {}, term), el("dd", {}, ...definition)];

/** A cell of a table that becomes a stack of cards on a phone. */
const cell = (label, attributes, ...children) => el("td", { role: "cell", "data-label": label, ...attributes }, ...children);

/** How wide a chart is drawn, so that its letters are as large as all others. */
const chartWidth = (id) => Math.max(260, Math.min(1100, Math.round(byID(id).clientWidth) || 720));

/** Options of a select, with its choice kept where it is still there. */
function choices(id, values, chosen) {
  const select = byID(id);
  const kept = select.value || chosen;
  if (select.childElementCount === values.length && [...select.options].every((option, i) => option.value === values[i])) return;
  select.replaceChildren(...values.map((value) => el("option", { value }, value)));
  select.value = values.includes(kept) ? kept : values.includes(chosen) ? chosen : values[0] ?? "";
}
