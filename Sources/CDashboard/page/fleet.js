// Who is there, who fetches, and through what.

/** A look comes about once a second: who has not looked for so long is gone, or cut off. */
const isAlive = (instance) => instance.seen_ms_ago < 10000;

/** Only the store tells of the others: while it is away their ages grow, and say nothing of them. */
const isUnknown = (instance, status) => !status.store.reachable && !instance.is_this_instance;
const unknownText = "unknown while the store is away";

/** The store remembers for an hour; who was gone long before its last answer is of no interest. */
const isShown = (instance, store) =>
  instance.seen_ms_ago - (store.reachable ? 0 : store.last_answer_ms_ago ?? 0) < 600000;

function instanceRow(instance, status) {
  const lease = status.leases?.find((one) => one.holder === instance.name);
  const roles = [instance.is_this_instance ? "answers this page" : null, lease ? `fetches ${lease.resource}` : null].filter(Boolean);
  const unknown = isUnknown(instance, status);
  const alive = isAlive(instance);
  return el("tr", { class: unknown ? "unknown" : alive ? null : "gone", "data-instance": instance.name },
    el("td", {}, el("span", { class: "code" }, instance.name)),
    el("td", {}, unknown ? unknownText : alive ? roles.join(", ") || "serves" : pill("gone", "warn")),
    el("td", { class: "right num" }, alive && !unknown ? "now" : `${spanText(instance.seen_ms_ago / 1000)} ago`));
}

function showFleet(status) {
  const self = status.instance;
  const store = status.store;
  const skew = store.clock_skew_ms;
  fill("instances", ...status.instances.map((instance) => instanceRow(instance, status)));
  fill("fleet", ...[
    pairOf("Fencing token", status.token !== undefined ? String(status.token) : "unknown"),
    pairOf("Version here", `${status.version}, up ${spanText(-secondsTo(self.started_at))}`),
    pairOf("Event loops", `${self.loops}, ${countOf(self.connections, "connection")}, ${countOf(self.streams, "stream")}`),
    pairOf("Store", store.kind === "memory" ? "memory of this instance" : `Redis, ${store.connected ? "connected" : "not connected"}, breaker ${wordText(store.breaker)}`),
    store.last_answer_ms_ago !== undefined ? pairOf("Last answer", `${(store.last_answer_ms_ago / 1000).toFixed(1)} s ago`) : [],
    store.last_error ? pairOf("Last end of a link", store.last_error) : [],
    skew !== undefined ? pairOf("Redis's clock", Math.abs(skew) < 1 ? "the same" : `${Math.abs(skew)} ms ${skew > 0 ? "ahead" : "behind"}`,
      Math.abs(skew) > 2000 ? " – mend NTP" : "") : [],
    pairOf("State file", status.state_file.on ? status.state_file.error ?? "written" : "off"),
    status.degraded.length > 0 ? pairOf("Degraded", status.degraded.map(wordText).join(", ")) : [],
  ].flat());
  say("whoami", `${status.fleet} · ${status.version}`);
  show("banner", status.simulated);
}

const requestWords = {
  fresh: "fresh", late: "late", stale: "stale", pinned: "past snapshot", unmet: "not what was asked for", none: "without rates",
};

function showRequests(status) {
  const counts = Object.entries(status.requests);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  let place = 0;
  const parts = total === 0 ? [] : counts.filter(([, count]) => count > 0).map(([state, count]) => {
    const width = (count / total) * 400;
    const part = svg("rect", { class: `s-${state}`, x: place.toFixed(2), y: 0, width: width.toFixed(2), height: 14 });
    place += width;
    return part;
  });
  const label = counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${requestWords[state]}`).join(", ");
  fill("requestBar", svg("svg", { viewBox: "0 0 400 14", role: "img", "aria-label": label || "no requests", preserveAspectRatio: "none" }, ...parts));
  fill("requests", ...counts.flatMap(([state, count]) => [
    el("dt", { class: state }, requestWords[state] ?? state), el("dd", {}, countText(count)),
  ]));
}
