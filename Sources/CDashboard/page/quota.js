// The month's budget: burn against the even line, and how long it lasts.

const monthStart = (month) => Date.parse(`${month}-01T00:00:00Z`);
const monthEnd = (month) => {
  const start = new Date(monthStart(month));
  return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
};

/** When the plan is used up if it goes on as so far; the month's end if it lasts. */
function lastsUntil(quota) {
  const [start, end] = [monthStart(quota.month), monthEnd(quota.month)];
  if (quota.used >= quota.limit) return now();
  if (quota.forecast === undefined || quota.forecast <= quota.limit) return end;
  return start + ((now() - start) * quota.limit) / Math.max(1, quota.used);
}

function lastsText(quota) {
  if (quota.used >= quota.limit) return `spent until ${dayText(monthEnd(quota.month))}`;
  if (quota.forecast === undefined) return "too early to foretell";
  const until = lastsUntil(quota);
  return until >= monthEnd(quota.month) ? "lasts the month" : `at this rate until ${dayText(until)}, ${clockText(until, false)}`;
}

let shownQuota = null;

function showQuota(page) {
  shownQuota = page;
  const quota = page.quota;
  if (!quota) return say("burnText", "The store has not told yet.");
  const share = Math.round((quota.used / Math.max(1, quota.limit)) * 100);
  fill("burnText", el("strong", {}, `${share} %`), ` used; `,
    quota.used >= quota.limit ? "nobody calls before the reset on " : "lasts until ",
    el("strong", {}, lastsUntil(quota) >= monthEnd(quota.month) || quota.used >= quota.limit
      ? dayText(monthEnd(quota.month)) : dayText(lastsUntil(quota))),
    quota.forecast === undefined ? "" : `, forecast ${countText(quota.forecast)} of ${countText(quota.limit)}`);
  fill("quotaParts", ...[
    ["Used", countText(quota.used)], ["Reserved", countText(quota.reserved)], ["Left", countText(quota.remaining)],
    ["By others on the key", countText(quota.external)],
    ["Pace", quota.pace_seconds === undefined ? "–" : `one in ${spanText(quota.pace_seconds)}`],
    ["Slow-down", quota.slow_down === 0 ? "none" : `×${2 ** quota.slow_down}`],
    ["Marks passed", quota.marks.length === 0 ? "none" : quota.marks.map((mark) => `${mark} %`).join(", ")],
  ].map(([term, text]) => el("div", {}, ...pairOf(term, text))));
  fill("burn", burnChart(quota, page.burn));
}

function burnChart(quota, burn) {
  const width = chartWidth("burn");
  const [height, left, bottom, top, right] = [width < 500 ? 180 : 230, 48, 22, 10, 6];
  const [start, end] = [monthStart(quota.month), monthEnd(quota.month)];
  const most = niceAbove(Math.max(quota.limit, quota.used, 1) * 1.04);
  const x = (time) => left + ((time - start) / (end - start)) * (width - left - right);
  const y = (calls) => height - bottom - (calls / most) * (height - bottom - top);
  const at = (time, calls) => `${x(time).toFixed(1)},${y(calls).toFixed(1)}`;
  const begun = burn?.month === quota.month ? burn : null;
  const since = begun ? Math.max(start, Date.parse(begun.since)) : now();
  const points = begun
    ? [[since, begun.used_then], ...begun.days.slice(0, -1).map((day) => [Math.max(since, start + day.day * 86400000), day.used])] : [];
  const line = [...points, [now(), quota.used]];
  const forecast = Math.min(most, Math.max(quota.used, quota.forecast ?? quota.used));
  const ticks = [0, 0.5, 1].map((part) => part * quota.limit);
  const days = (width < 500 ? [1, 11, 21] : [1, 8, 15, 22, 29]).map((day) => start + (day - 1) * 86400000).filter((time) => time < end);
  const label = `${quota.used} of ${quota.limit} calls used by ${dayText(now())}; evenly spread it would be `
    + `${Math.round((quota.limit * (now() - start)) / (end - start))}; forecast for the month ${quota.forecast ?? "not yet known"}.`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...ticks.map((tick) => svg("line", { class: tick === 0 ? "axis" : "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) })),
    ...ticks.map((tick) => svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, countText(Math.round(tick)))),
    ...days.map((day) => svg("text", { x: x(day), y: height - 6, "text-anchor": x(day) > width - 40 ? "end" : "start" }, dayText(day))),
    svg("line", { class: "limit", x1: left, x2: width - right, y1: y(quota.limit), y2: y(quota.limit) }),
    svg("polyline", { class: "ideal", points: `${at(start, 0)} ${at(end, quota.limit)}` }),
    svg("text", { x: left + 6, y: y(quota.limit) + 14 }, "limit"),
    svg("text", { x: x(start + (end - start) * 0.4) - 8, y: y(quota.limit * 0.4) - 10, "text-anchor": "end" }, "even spread"),
    svg("polyline", { class: "unknown", points: `${at(start, 0)} ${at(...line[0])}` }),
    svg("polygon", { class: "area", points: `${at(line[0][0], 0)} ${line.map((point) => at(...point)).join(" ")} ${at(now(), 0)}` }),
    svg("polyline", { class: "used", points: line.map((point) => at(...point)).join(" ") }),
    svg("polyline", { class: "forecast", points: `${at(now(), quota.used)} ${at(end, forecast)}` }),
    svg("circle", { class: "dot", cx: x(now()), cy: y(quota.used), r: 3.5 }));
}

/** The next of 1, 2, 2.5, 5, 10 times a power of ten, only a little above the value. */
function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((part) => part * power).find((one) => one >= value) ?? value;
}

function showClients(page) {
  const account = page.attribution;
  say("clientsNote", `Calls of this instance since ${timeText(account.since)}: ${countText(account.calls)}`
    + (account.elsewhere ? `; ${countText(account.elsewhere)} by others of the fleet or before.` : "."));
  const rows = [...account.clients].sort((a, b) => b.calls - a.calls || b.requests - a.requests).slice(0, 12);
  fill("clients", ...rows.map((client) => el("tr", {},
    el("td", {}, el("strong", {}, client.name), sub([client.verified ? null : "by its own word",
      client.limited > 0 ? `${countText(client.limited)} over its allowance` : null,
      client.resources.join(", ")].filter(Boolean).join(" · "))),
    el("td", { class: "right num" }, countText(Math.round(client.calls * 100) / 100)),
    el("td", { class: "right num" }, countText(client.requests)))));
}
