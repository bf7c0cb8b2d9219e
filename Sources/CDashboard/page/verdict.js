// The answers to an operator's first questions, each in one tile.

const tile = (name, value, more, tone) =>
  el("div", { class: tone, id: `tile-${name.toLowerCase().replaceAll(" ", "-")}` },
    el("dt", {}, name), el("dd", { class: "value" }, value), el("dd", { class: "more" }, more));

const latestOf = (status) => status.resources.filter((one) => one.resource.startsWith("latest:"));
const runningPauses = (status) => status.cooldowns.filter((pause) => pause.running && secondsTo(pause.until) > 0);

/** The worst state among the latest tables that are held. */
function worstState(status) {
  const states = latestOf(status).map((one) => standing(one).state);
  return ["none", "expired", "stale", "late", "fresh"].find((state) => states.includes(state)) ?? "none";
}

function ratesTile(status) {
  const state = worstState(status);
  const newest = latestOf(status).map((one) => one.fetched_at).filter(Boolean).sort().pop();
  const more = newest ? `fetched ${spanText(-secondsTo(newest))} ago` : "nothing is held yet";
  const word = { fresh: "Fresh", late: "Late", stale: "Stale", expired: "Too old", none: "None yet" }[state];
  return tile("Rates", word, more, stateTone(state) || "warn");
}

function fetchTile(status) {
  const lease = status.leases?.[0];
  if (lease) {
    const isHere = lease.holder === status.instance.name;
    return tile("Who fetches", isHere ? "This instance" : lease.holder, `${lease.resource}, token ${lease.token}`, "good");
  }
  const next = latestOf(status).filter((one) => one.next_refresh).sort((a, b) => (a.next_refresh < b.next_refresh ? -1 : 1))[0];
  if (!next) return tile("Who fetches", "Nobody", "nothing is due", "");
  const wait = secondsTo(next.next_refresh);
  const when = wait > 1 ? `next in ${spanText(wait)}` : "next when a client asks";
  return tile("Who fetches", "Nobody now", `${when}: ${causeText(next.next_by)}`, "");
}

function quotaTile(status) {
  const quota = status.quota;
  if (!quota) return tile("Calls left", "Unknown", "the store has not told yet", "warn");
  const share = quota.remaining / Math.max(1, quota.limit);
  const tone = quota.remaining === 0 ? "bad" : quota.forecast > quota.limit || share < 0.1 ? "warn" : "good";
  return tile("Calls left", countText(quota.remaining), `of ${countText(quota.limit)}; ${lastsText(quota)}`, tone);
}

function pauseTile(status) {
  const pause = runningPauses(status).sort((a, b) => (a.until < b.until ? 1 : -1))[0];
  if (!pause) return tile("Cooldown", "None", "upstream may be called", "good");
  return tile("Cooldown", spanText(secondsTo(pause.until)), `${pause.scope}: ${wordText(pause.reason)}`, "warn");
}

function storeTile(status) {
  const store = status.store;
  if (store.kind === "memory") return tile("Store", "Memory", "this instance is alone", "");
  if (!store.reachable || !store.connected) {
    return tile("Store", "Redis away", `breaker ${wordText(store.breaker)}${store.last_error ? `; ${store.last_error}` : ""}`, "bad");
  }
  return tile("Store", "Redis answers", `breaker ${wordText(store.breaker)}`, store.breaker === "closed" ? "good" : "warn");
}

/** So many instances the store lists at most, those that looked last. */
const listedLimit = 64;

function fleetTile(status) {
  if (status.instances.some((one) => isUnknown(one, status))) return tile("Instances", "This one", `the others: ${unknownText}`, "warn");
  const alive = status.instances.filter(isAlive).length;
  const gone = status.instances.length - alive;
  if (alive >= listedLimit) return tile("Instances", `${listedLimit} or more`, `no more than ${listedLimit} are listed`, "good");
  return tile("Instances", String(alive), gone > 0 ? `${gone} not seen any more` : "all are seen", gone > 0 ? "warn" : "good");
}

let lastVerdict = "";

function showTiles(status) {
  fill("tiles", ratesTile(status), fetchTile(status), quotaTile(status), pauseTile(status), storeTile(status), fleetTile(status));
  const state = worstState(status);
  document.title = `${wordText(state)} · FX Gateway`;
  // Read out when it changes, and only then.
  const pauses = runningPauses(status).map((pause) => `, calls paused: ${wordText(pause.reason)}`).join("");
  const verdict = `Rates ${state}${pauses}`;
  if (lastVerdict && verdict !== lastVerdict) say("announce", verdict);
  lastVerdict = verdict;
}

function showPauses(status) {
  const pauses = runningPauses(status).map((pause) => ({ ...pause, what: `all calls (${pause.scope})` }));
  const refusals = status.refused.filter((one) => one.running && secondsTo(one.until) > 0)
    .map((one) => ({ ...one, what: one.kind, reason: "upstream refuses it" }));
  const rows = [...pauses, ...refusals].map((pause) =>
    el("li", {}, el("span", { class: "countdown num" }, spanText(secondsTo(pause.until))),
      el("span", {}, el("strong", {}, pause.what), `: ${wordText(pause.reason)}, until ${timeText(pause.until)}, `,
        pause.strikes === 1 ? "the first in a row" : `${pause.strikes} in a row`)));
  show("pauses", rows.length > 0);
  fill("pauseList", ...rows);
}
