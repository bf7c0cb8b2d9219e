// Times by the gateway's clock, and what people read of numbers and words.

let clockOffset = 0;

/** The gateway's time in ms, as far as its last answer told it. */
const now = () => Date.now() + clockOffset;
const noteClock = (time) => { clockOffset = Date.parse(time) - Date.now(); };

const two = (number) => String(number).padStart(2, "0");
const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function dayText(time) {
  const date = new Date(time);
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`;
}

function clockText(time, hasSeconds = true) {
  const date = new Date(time);
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return hasSeconds ? `${minutes}:${two(date.getUTCSeconds())}` : minutes;
}

/** The time of day if it is today, else with the day. */
function timeText(iso) {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso ?? "–";
  const isToday = new Date(time).toISOString().slice(0, 10) === new Date(now()).toISOString().slice(0, 10);
  return isToday ? clockText(time) : `${dayText(time)}, ${clockText(time, false)}`;
}

function spanText(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
}

const secondsTo = (iso) => (Date.parse(iso) - now()) / 1000;
/** A count with its noun. */
const countOf = (number, noun) => `${countText(number)} ${noun}${number === 1 ? "" : "s"}`;
const countText = (number) => Number(number).toLocaleString("en-GB");
const wordText = (word) => String(word ?? "").replaceAll("_", " ");

/** What decides the next refresh, by the gateway's words. */
const causes = {
  live_ttl: "its lifetime ends", unknown_ttl: "its lifetime ends", publication: "next publication",
  publication_overdue: "a publication is overdue", fix_held_back: "a value is held back", once_a_day: "once a day",
  pace: "pace of the budget", cooldown: "the cooldown ends", failing: "pause after a failure", paced: "pace of the budget",
  quota_spent: "the month is spent", key_rejected: "the key is refused", forbidden: "upstream refuses it",
  store_away: "the store is away", warming_up: "warming up", queued: "others go first",
};
const causeText = (word) => causes[word] ?? wordText(word);
const stateTone = (state) => ({ fresh: "good", late: "warn", stale: "bad", expired: "bad" })[state] ?? "";
