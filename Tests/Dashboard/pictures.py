"""The pictures of the dashboard in docs: a running fleet, with a made-up month of calls.

A fleet of a test lives for a minute; what its ledger says of the month would be a line from nothing to here. So the two
answers that tell of the month are changed on their way to the page; all else is as the gateway says it.
"""

import datetime
import json
import urllib.request

from browser import SIZES, opened, until

LIMIT = 10000
HEIGHTS = {"desktop": 1290, "phone": 1500}


def made_up_month():
    """Calls by day: fewer on weekends, a busier middle."""
    now = datetime.datetime.now(datetime.timezone.utc)
    used, days = 0, []
    for day in range(1, now.day + 1):
        weekday = now.replace(day=day).weekday()
        used += (190 if weekday >= 5 else 318) + (day * 37) % 29
        days.append({"day": day, "used": used})
    return {"month": f"{now:%Y-%m}", "since": f"{now:%Y-%m}-01T00:00:04Z", "used_then": 0, "days": days}


def with_month(route):
    answer = route.fetch()
    body = answer.json()
    burn = made_up_month()
    used = burn["days"][-1]["used"]
    if "quota" in body:
        body["quota"].update(limit=LIMIT, used=used, remaining=LIMIT - used, forecast=used, reserved=0, marks=[80], pace_seconds=66)
    if "burn" in body:
        body["burn"] = burn
    if "attribution" in body:
        body["attribution"]["elsewhere"] = used - body["attribution"]["calls"]
    route.fulfill(response=answer, body=json.dumps(body))


def ask_as_clients(base):
    """A company at work: so that there is somebody who causes calls."""
    for name, count, path in (
        ("billing", 41, "/v1/convert/EUR/USD/19.99"), ("web-shop", 118, "/v1/latest/EUR?symbols=USD,GBP,CHF"),
        ("reports", 9, "/v1/rate/EUR-JPY"),
    ):
        for _ in range(count):
            request = urllib.request.Request(base + path, headers={"X-Client-Name": name})
            with urllib.request.urlopen(request, timeout=10) as answer:
                answer.read()


def take_pictures(browser, what):
    ask_as_clients(what["base"])
    for size in SIZES:
        for scheme in ("light", "dark"):
            with browser.page(size=size, scheme=scheme) as page:
                for path in ("/v1/status", "/v1/quota"):
                    page.route(f"**{path}", with_month)
                opened(page, what["base"])
                page.select_option("#pairQuote", "USD")
                page.fill("#amount", "1250.00")
                page.select_option("#from", "GBP")
                page.select_option("#to", "JPY")
                page.press("#amount", "Enter")
                page.wait_for_selector("#receipt .total")
                until(page, "() => document.querySelectorAll('#rateChart circle').length >= 16", seconds=60)
                until(page, "() => document.querySelectorAll('#classes li').length >= 1")
                page.evaluate("() => document.activeElement.blur()")
                name = f"{what['pictures']}/dashboard-{size}-{scheme}.png"
                # As far as what people come for reaches: a whole page would be twice as many bytes.
                height = min(HEIGHTS[size], page.evaluate("() => document.documentElement.scrollHeight"))
                page.screenshot(path=name, full_page=True, clip={"x": 0, "y": 0, "width": SIZES[size]["width"], "height": height})
                # None is to be on its way when the page closes.
                page.unroute_all(behavior="wait")
                yield name
