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

/**
 * Where there is no `numbers=string`, as in the list of what is in quarantine: a rate stays the text it came as, since a
 * number of JavaScript would lose its digits. Inside of a string no quote stands without a backslash before it.
 */
const withExactNumbers = (json) => json.replace(/"(served|held_back)":\s*(-?[0-9][0-9.]*)/g, '"$1":"$2"');

/** The JSON of a route. Throws `Refused` with the gateway's own words for any other status than 200. */
async function ask(path, seconds = 8) {
  const sent = token;
  const response = await fetch(path, {
    headers: fieldsOf(), cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(seconds * 1000),
  });
  const body = JSON.parse(withExactNumbers(await response.text()));
  if (!response.ok) {
    if (response.status === 401 || response.status === 403) tokenRefused(response.status, sent);
    throw new Refused(response.status, body.detail ?? response.statusText);
  }
  return body;
}

/** Called with true once there is something to ask with, with false when a token is asked for. */
let onAccess = () => {};

/** The refusal of a question that was sent with the token `sent`; a late one, of a token that is no longer used, says nothing. */
function tokenRefused(status, sent) {
  if (sent !== token) return;
  keepToken("");
  document.documentElement.dataset.token = "needed";
  show("tokenForm", true);
  show("board", false);
  // What was sent without a token leaves the reason why the last one was refused.
  if (sent) say("tokenProblem", status === 403 ? "Nobody has this token." : "The token was not taken.");
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
