// Server-Sent Events by fetch: EventSource can't send a token.

/** Splits a text that arrives in pieces into events (WHATWG HTML, section 9.2.6). */
class EventReader {
  constructor(hear) {
    this.hear = hear;
    this.rest = "";
    this.clear();
  }

  clear() { this.event = { name: "message", data: [], id: null, retry: null }; }

  take(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    for (const line of lines) this.line(line.replace(/\r$/, ""));
  }

  line(line) {
    if (line === "") {
      if (this.event.data.length > 0 || this.event.retry !== null) this.hear(this.event);
      return this.clear();
    }
    if (line.startsWith(":")) return;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.event.name = value;
    if (field === "data") this.event.data.push(value);
    if (field === "id") this.event.id = value;
    if (field === "retry" && /^\d+$/.test(value)) this.event.retry = Number(value);
  }
}

/** One stream that comes back by itself, from where it was. `hear(name, data)`; `tell("live" | "away")`. */
class LiveStream {
  constructor(hear, tell) {
    this.hear = hear;
    this.tell = tell;
    this.lastID = null;
    this.retry = 3000;
    this.failures = 0;
  }

  start(path) {
    this.stop();
    if (path !== this.path) this.lastID = null;
    this.path = path;
    const ending = new AbortController();
    this.ending = ending;
    this.run(ending);
  }

  stop() {
    this.ending?.abort();
    clearTimeout(this.timer);
  }

  async run(ending) {
    const sent = token;
    try {
      const fields = this.lastID ? { "Last-Event-ID": this.lastID } : {};
      const response = await fetch(this.path, {
        headers: fieldsOf(fields), cache: "no-store", credentials: "omit", redirect: "error", signal: ending.signal,
      });
      if (response.status === 401 || response.status === 403) return tokenRefused(response.status, sent);
      if (!response.ok) throw new Refused(response.status, "no stream");
      this.tell("live");
      const reader = new EventReader((event) => this.note(event));
      const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        // A comment comes every 15 s: silence for three of them is a lost connection.
        const silence = setTimeout(() => pieces.cancel().catch(() => {}), 45000);
        const { done, value } = await pieces.read().finally(() => clearTimeout(silence));
        if (done) break;
        reader.take(value);
      }
    } catch (problem) {
      if (ending.signal.aborted) return;
      this.failures += 1;
    }
    if (ending.signal.aborted) return;
    this.tell("away");
    const wait = Math.min(30000, this.retry * 2 ** Math.min(this.failures, 4)) * (0.75 + Math.random() / 2);
    this.timer = setTimeout(() => this.run(ending), wait);
  }

  note(event) {
    this.failures = 0;
    if (event.retry !== null) this.retry = event.retry;
    if (event.id) this.lastID = event.id;
    if (event.data.length > 0) this.hear(event.name, JSON.parse(event.data.join("\n")));
  }
}
