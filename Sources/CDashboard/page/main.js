// The page's life: what is asked for how often, and when it rests.

let status = null;
let isLive = false;
let isAnswered = false;

/** However often it failed, something is asked for again after so many seconds. */
const longestWait = 30;

/** Asks for something again and again: never two at once, slower after a failure, not at all while nobody looks. */
class Poll {
  constructor(seconds, path, take) {
    Object.assign(this, { seconds, path, take, isBusy: false, due: 0, last: 0, failures: 0 });
  }

  async run() {
    if (this.isBusy) return;
    this.isBusy = true;
    this.last = Date.now();
    try {
      this.take(await ask(typeof this.path === "function" ? this.path() : this.path));
      this.failures = 0;
      // Somebody is there again: the others needn't wait for as long as their failures would have them.
      if (!isAnswered) for (const poll of Object.values(polls)) poll.hurry();
      isAnswered = true;
    } catch (problem) {
      this.failures = Math.min(this.failures + 1, 5);
      if (!(problem instanceof Refused)) isAnswered = false;
    }
    this.due = Date.now() + Math.min(longestWait, this.seconds * 2 ** this.failures) * 1000;
    this.isBusy = false;
    showLink();
  }

  /** Sooner than planned, but not more often than once in two seconds. */
  hurry() { this.due = Math.min(this.due, Math.max(Date.now(), this.last + 2000)); }

  /** As if it had never failed. */
  renew() { Object.assign(this, { due: 0, failures: 0 }); }
}

function takeStatus(page) {
  noteClock(page.time);
  status = { ...page, instances: page.instances.filter((one) => isShown(one, page.store)) };
  showFleet(status);
  showRequests(status);
  tick();
}

function takeSources(page) {
  showClasses(page);
  const base = status?.bases[0] ?? "USD";
  const table = page.sources.filter((one) => one.resource === `latest:${base}`);
  const codes = [...new Set([base, ...(status?.bases ?? []), ...table.flatMap((one) => one.symbols)])].sort();
  if (table.length === 0) return;
  const quote = ["USD", "EUR", "GBP"].find((code) => code !== base && codes.includes(code)) ?? codes.find((code) => code !== base);
  for (const [id, chosen] of [["pairBase", base], ["pairQuote", quote], ["from", base], ["to", quote]]) choices(id, codes, chosen);
  choosePair();
}

const polls = {
  status: new Poll(3, "/v1/status", takeStatus),
  events: new Poll(4, "/v1/events", showEvents),
  quota: new Poll(10, "/v1/quota", (page) => { showQuota(page); showClients(page); }),
  sources: new Poll(15, "/v1/sources", takeSources),
  explain: new Poll(8, () => {
    const { base, quote } = chosenPair();
    return `/v1/explain?base=${encodeURIComponent(base || status?.bases[0] || "USD")}${quote ? `&symbols=${encodeURIComponent(quote)}` : ""}`;
  }, showExplanation),
};

const stream = new LiveStream((name, data) => {
  if (name === "snapshot") hearPublication(data);
  for (const poll of [polls.status, polls.events, polls.quota, polls.explain]) poll.hurry();
}, (state) => {
  isLive = state === "live";
  showLink();
});

let shownPair = "";

/** Goes over to the pair that is chosen now. */
function choosePair() {
  const { base, quote } = chosenPair();
  if (!base || !quote || `${base}/${quote}` === shownPair) return;
  shownPair = `${base}/${quote}`;
  forgetPublications();
  readBack({ base, quote });
  polls.explain.hurry();
  stream.start(`/v1/stream?base=${encodeURIComponent(base)}&symbols=${encodeURIComponent(quote)}&events=snapshot,cooldown&numbers=string`);
}

function showLink() {
  const [text, tone] = document.hidden ? ["resting", ""] : !isAnswered ? ["no answer", "bad"] : isLive ? ["live", "good"] : ["polling", "warn"];
  const node = byID("link");
  node.className = `pill ${tone}`;
  say("link", text);
}

/** Once a second: what moves with the clock. */
function tick() {
  say("clock", `${clockText(now())} UTC`);
  if (!status) return;
  showTiles(status);
  showPauses(status);
  showResources(status);
}

let heart = null;

function wake() {
  if (heart || document.hidden || (needsToken() && !token)) return;
  show("board", true);
  heart = setInterval(beat, 1000);
  if (shownPair) {
    readBack(chosenPair());
    stream.start(stream.path);
  }
  beat();
}

function rest() {
  clearInterval(heart);
  heart = null;
  stream.stop();
  endWalk();
  isLive = false;
  showLink();
}

async function beat() {
  tick();
  // The first round in order: the pairs to choose from need the bases, their past what this instance has seen.
  if (!status) {
    if (polls.status.due > Date.now()) return;
    await polls.status.run();
    if (status) await polls.events.run();
    return;
  }
  for (const poll of Object.values(polls)) if (poll.due <= Date.now()) poll.run();
}

onAccess = (isGranted) => {
  rest();
  if (!isGranted) return;
  for (const poll of Object.values(polls)) poll.renew();
  wake();
};
document.addEventListener("visibilitychange", () => { if (document.hidden) rest(); else wake(); });
addEventListener("resize", () => {
  if (shownQuota) showQuota(shownQuota);
  if (shownPair) showRates(chosenPair());
});
byID("pair").addEventListener("submit", (event) => event.preventDefault());
byID("pair").addEventListener("change", choosePair);
show("linkLine", true);
listenForToken();
listenForConversions();
show("forget", token !== "");
if (needsToken() && !token) show("tokenForm", true);
wake();
