// The last publications of one pair: read back from the snapshots that are kept, then told by the stream.

const publicationLimit = 24;
let publications = [];
let walk = 0;
let isWalked = false;

const chosenPair = () => ({ base: byID("pairBase").value, quote: byID("pairQuote").value });

/** Keeps a publication in its place; the same snapshot once. */
function addPublication(one) {
  if (publications.some((known) => known.snapshot === one.snapshot)) return;
  publications = [...publications, one].sort((a, b) => a.at - b.at).slice(-publicationLimit);
}

/** Whether there was none before it: this instance has seen the fleet's first one. What was before its own life, it can't know. */
function isFirst(snapshot, at) {
  const oldest = events.at(-1);
  if (!status || !oldest || oldest.number > 1 || at < Date.parse(status.instance.started_at)) return false;
  return events.findLast((event) => event.fields.snapshot)?.fields.snapshot === snapshot;
}

/** Goes over to another pair: what is shown is the old one's. */
function forgetPublications() {
  publications = [];
  isWalked = false;
}

/** A walk that is on its way asks for nothing more. */
const endWalk = () => { walk += 1; };

/**
 * From the newest snapshot back, each asked for by the instant just before the one after it; costs no call upstream.
 * After a rest only to where the page was before it, if it had come to the end then.
 */
async function readBack({ base, quote }) {
  const mine = ++walk;
  const known = new Set(isWalked ? publications.map((one) => one.snapshot) : []);
  isWalked = false;
  let instant = new Date(now()).toISOString().slice(0, 19) + "Z";
  for (let step = 0; step < publicationLimit; step += 1) {
    let problem = null;
    const body = await ask(`/v1/rate/${base}-${quote}?numbers=string&as_of=${instant}`).catch((one) => { problem = one; });
    // Another pair may have been chosen meanwhile, or the page rests.
    if (mine !== walk) return;
    // 410 is the end of what is kept, where that was before this instance.
    if (!body) { isWalked = problem.status === 410; return; }
    if (known.has(body.cache.snapshot)) break;
    const at = Date.parse(body.cache.fetched_at);
    addPublication({ snapshot: body.cache.snapshot, at, rate: body.rate });
    showRates({ base, quote });
    if (isFirst(body.cache.snapshot, at)) break;
    instant = new Date(at - 1000).toISOString().slice(0, 19) + "Z";
  }
  isWalked = true;
}

/** A snapshot that the stream told of. */
function hearPublication(data) {
  const { base, quote } = chosenPair();
  const rate = data.rates?.[quote];
  if (data.base !== base || rate === undefined) return;
  addPublication({ snapshot: data.cache.snapshot, at: Date.parse(data.cache.fetched_at), rate });
  showRates({ base, quote });
}

function showRates({ base, quote }) {
  const last = publications.at(-1);
  if (!last) {
    say("rateText", "No publication of this pair is kept yet.");
    return fill("rateChart");
  }
  fill("rateText", `1 ${base} = `, el("strong", {}, last.rate), ` ${quote}, fetched ${timeText(new Date(last.at).toISOString())}`);
  fill("rateChart", rateChart(`${base}/${quote}`));
}

function rateChart(name) {
  const width = chartWidth("rateChart");
  const [height, left, bottom, top, right] = [width < 500 ? 180 : 330, 66, 22, 10, 10];
  const rates = publications.map((one) => Number(one.rate));
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const margin = (high - low) * 0.12 || Math.abs(high) * 0.0005 || 1;
  const [from, to] = [low - margin, high + margin];
  const [first, last] = [publications[0].at, publications.at(-1).at];
  const span = Math.max(1, last - first);
  const x = (time) => (publications.length === 1 ? (left + width - right) / 2 : left + ((time - first) / span) * (width - left - right));
  const y = (rate) => height - bottom - ((rate - from) / (to - from)) * (height - bottom - top);
  const digits = Math.min(8, Math.max(2, Math.ceil(-Math.log10((to - from) / 50))));
  const ticks = [0.15, 0.5, 0.85].map((part) => from + part * (to - from));
  const points = publications.map((one) => `${x(one.at).toFixed(1)},${y(Number(one.rate)).toFixed(1)}`).join(" ");
  const label = `${name}: ${publications.length} publications from ${clockText(first)} to ${clockText(last)}, `
    + `lowest ${low}, highest ${high}, last ${publications.at(-1).rate}.`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...ticks.map((tick) => svg("line", { class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick) })),
    ...ticks.map((tick) => svg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(digits))),
    svg("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }),
    svg("text", { x: left, y: height - 6 }, timeText(new Date(first).toISOString())),
    publications.length > 1 ? svg("text", { x: width - right, y: height - 6, "text-anchor": "end" }, timeText(new Date(last).toISOString())) : null,
    svg("polygon", { class: "area", points: `${x(first)},${height - bottom} ${points} ${x(last)},${height - bottom}` }),
    svg("polyline", { class: "used", points }),
    ...publications.map((one) => svg("circle", { class: "dot", cx: x(one.at).toFixed(1), cy: y(Number(one.rate)).toFixed(1), r: one === publications.at(-1) ? 4 : 2.2 },
      svg("title", {}, `${one.rate}, fetched ${timeText(new Date(one.at).toISOString())}, snapshot ${one.snapshot}`))));
}
