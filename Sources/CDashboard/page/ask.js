// Questions to the gateway: same origin, bounded in time, with the token if there is one.

const tokenPlace = "fxgateway-token";
let token = "";
try { token = sessionStorage.getItem(tokenPlace) ?? ""; } catch { /* Without storage it lives as long as the page. */ }

class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

const needsToken = () => document.documentElement.dataset.token === "needed";
const fieldsOf = (more = {}) => ({
  "X-Client-Name": "dashboard", ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more,
});

/** The JSON of a route. Throws `Refused` with the gateway's own words for any other status than 200. */
async function ask(path, seconds = 8) {
  const response = await fetch(path, {
    headers: fieldsOf(), cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(seconds * 1000),
  });
  const body = await response.json();
  if (!response.ok) {
    if (response.status === 401 || response.status === 403) tokenRefused(response.status);
    throw new Refused(response.status, body.detail ?? response.statusText);
  }
  return body;
}

/** Called with true once there is something to ask with, with false when a token is asked for. */
let onAccess = () => {};

function tokenRefused(status) {
  const wasSent = token !== "";
  keepToken("");
  document.documentElement.dataset.token = "needed";
  show("tokenForm", true);
  show("board", false);
  say("tokenProblem", wasSent && status === 403 ? "Nobody has this token." : wasSent ? "The token was not taken." : "");
  onAccess(false);
}

function keepToken(value) {
  token = value;
  try {
    if (value) sessionStorage.setItem(tokenPlace, value);
    else sessionStorage.removeItem(tokenPlace);
  } catch { /* As above. */ }
  show("forget", value !== "");
}

function listenForToken() {
  byID("tokenForm").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = byID("token").value.trim();
    byID("token").value = "";
    // What no header field can carry is no token.
    if (!/^[\x21-\x7e]+$/.test(typed)) return say("tokenProblem", "A token has no blanks and only ASCII characters.");
    say("tokenProblem", "");
    keepToken(typed);
    show("tokenForm", false);
    show("board", true);
    onAccess(true);
  });
  byID("forget").addEventListener("click", () => { keepToken(""); location.reload(); });
}
