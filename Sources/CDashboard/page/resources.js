// What is held: source, age against its lifetime, next refresh and why.

/** How a resource stands at this moment: what has run out since the gateway told so is no longer fresh. */
function standing(one) {
  if (!one.snapshot) return { state: "none", share: 0 };
  if (!one.fresh_until) return { state: "", share: 0 };
  const age = -secondsTo(one.fetched_at);
  const lifetime = (Date.parse(one.fresh_until) - Date.parse(one.fetched_at)) / 1000;
  const state = one.state === "fresh" && age >= lifetime ? "stale" : one.state;
  return { state, age, lifetime, share: lifetime > 0 ? age / lifetime : 1 };
}

function ageCell(one) {
  const { age, lifetime, share } = standing(one);
  if (lifetime === undefined) {
    return cell("Age", { class: "span" }, one.fetched_at ? spanText(-secondsTo(one.fetched_at)) : "–");
  }
  const percent = Math.round(Math.min(1, share) * 100);
  const inner = el("span");
  inner.style.inlineSize = `${percent}%`;
  const text = `${spanText(age)} of ${spanText(lifetime)}`;
  return cell("Age of its lifetime", { class: "span" },
    el("span", {
      class: `bar ${share > 1 ? "over" : share > 0.8 ? "late" : ""}`, role: "meter", "aria-label": `Age of ${one.resource}`,
      "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": percent, "aria-valuetext": text,
    }, inner),
    el("span", { class: "num" }, text));
}

function resourceRow(one) {
  const { state } = standing(one);
  const condition = one.condition === "idle" ? "" : wordText(one.condition);
  const source = [one.source, one.market_session ? `market ${wordText(one.market_session)}` : null,
    one.symbols !== undefined ? `${one.symbols} symbols` : one.currencies !== undefined ? `${one.currencies} currencies` : null];
  return el("tr", { role: "row", "data-resource": one.resource },
    cell("Resource", {}, el("strong", {}, one.resource), sub(source.filter(Boolean).join(" · "))),
    cell("State", {}, pill(state === "none" ? "not held" : state || "held", stateTone(state)), sub(condition)),
    ageCell(one),
    cell("Data time", {}, el("span", { class: "num" }, one.data_updated_at ? timeText(one.data_updated_at) : "–"),
      sub(one.token !== undefined ? `token ${one.token}` : "")),
    cell("Next refresh", {}, el("span", { class: "num" }, one.condition === "refreshing" ? "being fetched" : one.next_refresh ? nextText(one.next_refresh) : "–"),
      sub(one.next_by ? causeText(one.next_by) : "")));
}

function nextText(iso) {
  const wait = secondsTo(iso);
  return wait > 0 ? `in ${spanText(wait)}` : "due when asked for";
}

function showResources(status) {
  const order = (one) => (one.resource.startsWith("latest:") ? 0 : 1) + one.resource;
  const rows = [...status.resources].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  fill("resources", ...rows.map(resourceRow));
  const held = rows.flatMap((one) => one.quarantine ?? []);
  fill("quarantine", ...(held.length === 0 ? [] : [
    el("h3", {}, "In quarantine"),
    el("ul", { class: "plain" }, held.map((one) =>
      el("li", {}, el("strong", {}, one.id), ` served ${one.served}, held back ${one.held_back}: `,
        `${one.confirmations} of ${one.confirmations_needed} confirmations, since ${timeText(one.since)}`))),
  ]));
}

function showClasses(sources) {
  fill("classes", ...sources.sources.map((one) => [
    el("h3", {}, `${one.source} `, pill(one.state, stateTone(one.state))),
    el("p", { class: "muted small" }, `${one.resource}, ${one.schedule}`,
      one.next_publication ? `, next publication ${timeText(one.next_publication)}` : "",
      one.missed_publications ? `, ${one.missed_publications} missed` : ""),
    el("ul", { class: "chips plain", "aria-label": `Symbols of ${one.source} in ${one.resource}` }, one.symbols.map((code) =>
      el("li", one.stale_symbols.includes(code) ? { class: "stale", title: `${code} is not fresh` } : {}, code))),
  ]));
}
