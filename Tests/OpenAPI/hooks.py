"""What schemathesis has to know of the gateway that an OpenAPI document can't say.

1. What there is. Codes, days and snapshots of the document's form mostly don't exist, and all answers would be 404, 410
   and 422: three of four are put into the place of one that exists.
2. Rules between parameters. A value that is right by itself may be wrong beside another one: then a request that the
   document allows is 400, as docs/http-api.md says. Such requests are mended before they are sent, and only those that
   schemathesis means to be right: what it has made wrong on purpose goes out as it is.
3. Which 503 and 504 are right. "Nothing usable is held" is an answer with a meaning here, so no status from 500 on
   can simply be an error, nor simply be allowed: the check below knows which problem types a state may give
   (API_CHECK_PROBLEMS), and wants each with what a client needs to go on.
"""

import json
import os
import re
import zlib
from decimal import Decimal

import schemathesis
from schemathesis.core import NOT_SET

ALLOWED = set(os.environ.get("API_CHECK_PROBLEMS", "").split())
PREFIX = "urn:fxgateway:problem:"
# Longer ago than any request of now, so that no clock decides.
PAST_YEAR = "2020"
CODES = ["EUR", "usd", "JPY", "Gbp", "CHF", "sek", "PLN", "HUF", "CZK", "nok"]
# Of a table that the gateway has just answered from.
SNAPSHOT = os.environ.get("API_CHECK_SNAPSHOT", "")


@schemathesis.deserializer("text/csv")
def csv(ctx, response):
    return response.content.decode()


def number_of(text):
    return zlib.crc32(str(text).encode("utf-8", "surrogatepass"))


def existing(text):
    """A code that there is, for three of four; which one depends on the text alone, so that a seed says it all."""
    number = number_of(text)
    return text if number % 4 == 0 else CODES[number // 4 % len(CODES)]


def existing_day(text):
    number = number_of(text)
    if number % 4 == 0 or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(text)) or text[5:] == "02-29":
        return text
    return str(1999 + number // 4 % 27) + text[4:]


def use_what_exists(case):
    for values in (case.path_parameters, case.query):
        for name, value in (values or {}).items():
            if not isinstance(value, str):
                continue
            if name in ("base", "quote", "from", "to"):
                values[name] = existing(value)
            elif name == "symbols":
                values[name] = ",".join(existing(code) for code in value.split(","))
            elif name in ("date", "start_date", "end_date"):
                values[name] = existing_day(value)
            elif name in ("snapshot", "id") and SNAPSHOT and number_of(value) % 4 and "-" in value:
                values[name] = SNAPSHOT
    if isinstance(case.body, dict) and isinstance(case.body.get("pairs"), list):
        case.body["from"] = existing(case.body.get("from"))
        for pair in case.body["pairs"]:
            if isinstance(pair, list) and pair:
                pair[0] = existing(pair[0])


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    if case.method.upper() != case.operation.method.upper():
        # A body where none is taken is 413, before it is looked whether the method is allowed.
        case.body = NOT_SET
    if meta is None or meta.generation.mode.value != "positive":
        return
    query = case.query if isinstance(case.query, dict) else {}
    if case.method != "OPTIONS":
        use_what_exists(case)
    # A past snapshot is named in one way, and has no freshness to ask for.
    if "date" in query:
        query.pop("as_of", None)
        query.pop("snapshot", None)
    if "snapshot" in query:
        query.pop("as_of", None)
    if "snapshot" in query or "as_of" in query:
        for name in ("max_data_age", "sources", "on_stale"):
            query.pop(name, None)
    # Explanations are of the rates of now.
    if any(name in query for name in ("snapshot", "as_of", "date")):
        query.pop("explain", None)
    # A kind of currency that none is of is refused.
    if case.operation.path == "/v1/currencies" and isinstance(query.get("type"), str):
        query["type"] = "fiat"
    # An instant that isn't over is refused.
    if isinstance(query.get("as_of"), str) and query["as_of"][:4] >= "2026":
        query["as_of"] = PAST_YEAR + query["as_of"][4:]
    if case.operation.path == "/v1/range":
        # A cursor is of one range only, an end isn't before the start, and no piece is endless.
        query.pop("cursor", None)
        ends = [query.get("start_date"), query.get("end_date")]
        if all(isinstance(end, str) for end in ends):
            query["start_date"], query["end_date"] = sorted(ends)
        if query.get("format") == "csv":
            query["symbols"] = "USD"
    if case.operation.path == "/v1/convert" and isinstance(case.body, dict):
        plain(case.body.get("pairs"))
        # No text holds a NUL, not even in members that are ignored: it would end there for whoever reads it in C.
        for name in [name for name, value in case.body.items() if "\\u0000" in json.dumps([name, value])]:
            del case.body[name]


def plain(pairs):
    """Takes amounts out that JSON would write with an exponent, or with more digits than are taken."""
    for pair in pairs if isinstance(pairs, list) else []:
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], (int, float)):
            text = repr(pair[1])
            if not re.fullmatch(r"[0-9]{1,30}(\.[0-9]{1,36})?", text) or len(Decimal(text).as_tuple().digits) > 36:
                pair[1] = 7.5


@schemathesis.check
def unavailable_for_a_reason(ctx, response, case):
    if response.status_code not in (503, 504):
        return
    if case.operation.path == "/readyz":
        assert response.status_code == 503
        return
    assert response.headers["cache-control"] == ["no-store"] or response.headers["cache-control"] == "no-store"
    assert "application/problem+json" in str(response.headers["content-type"])
    if response.request.method != "HEAD":
        kind = response.json()["type"].removeprefix(PREFIX)
        assert kind in ALLOWED, f"{kind} is not to be met in this state"
    if response.status_code == 503:
        assert "retry-after" in response.headers, "a 503 says when to come again"
