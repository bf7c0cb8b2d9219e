// What this instance has logged last.

const levelTone = { warning: "warn", error: "bad", notice: "good" };
let lastEvent = 0;
let events = [];

function showEvents(page) {
  events = page.events;
  const known = lastEvent;
  fill("events", ...page.events.map((event) => el("tr", { role: "row", class: known > 0 && event.number > known ? "new" : null },
    el("td", { role: "cell", class: "num" }, timeText(event.at)),
    el("td", { role: "cell" }, levelTone[event.level] ? pill(event.event, levelTone[event.level]) : event.event),
    el("td", { role: "cell", class: "span" }, el("span", { class: "code" }, Object.entries(event.fields).map(([name, value]) => `${wordText(name)} ${value}`).join(" · "))))));
  lastEvent = Math.max(lastEvent, page.events[0]?.number ?? 0);
  // Another process answers now: its numbers begin anew.
  if ((page.events[0]?.number ?? 0) < known) lastEvent = page.events[0]?.number ?? 0;
}
