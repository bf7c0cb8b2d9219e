"""Looks at the dashboard of a running fleet with headless Chromium.

Usage: dashboard.py SCENE WHAT, with WHAT as JSON:

  base       of the instance whose page is looked at
  upstream   of the simulator, whose control routes are used
  victim     the process and the name of an instance that may be killed
  admin      the operator's token
  token      a client's token, for the scenes `guarded` and `revoked`
  clients    the clients file and the process that reads it, for the scene `revoked`
  redis      the process of the store, for the scene `away`
  pictures   the folder for screenshots, for the scene `pictures`

Prints a line for each thing seen; ends with 1 and the reason at the first that isn't as it should be.
"""

import json
import os
import re
import signal
import statistics
import sys
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from browser import SIZES, Browser, asked, dump, hide, opened, seen, text, until
from faults import away, exact, lost, many, revoked, walk
from pictures import take_pictures

CHROMIUM = os.environ.get("FXGW_TEST_CHROMIUM", "/usr/bin/chromium")


def live(browser, what):
    """A refresh arrives; a pause begins and counts down; an instance goes; a conversion has its receipt."""
    with browser.page() as page:
        opened(page, what["base"])
        assert text(page, "#banner").startswith("Simulated upstream."), "no banner of the simulation"
        assert page.is_visible("#banner")
        seen("the banner of the simulation")

        token = "() => document.querySelector('[data-resource=\"latest:EUR\"]')?.innerText.match(/token (\\d+)/)?.[1]"
        before = page.evaluate(token)
        until(page, f"(before) => Number(({token})()) > Number(before)", before)
        seen(f"a refresh, live: token {before} and then {page.evaluate(token)}")

        until(page, "() => document.querySelectorAll('#rateChart circle').length >= 3")
        until(page, "() => document.querySelectorAll('#events tr').length >= 3")
        assert page.evaluate("() => document.querySelectorAll('#burn polyline.used').length") == 1
        assert "fetched" in text(page, "#events") or "adopted" in text(page, "#events"), text(page, "#events")
        seen("publications in the chart, events in the list, the month's burn")

        page.fill("#amount", "19.99")
        page.select_option("#from", "USD")
        page.select_option("#to", "JPY")
        page.select_option("#rounding", "down")
        page.press("#amount", "Enter")
        page.wait_for_selector("#receipt .total")
        receipt = text(page, "#receipt")
        for part in ("19.99 USD", "JPY", "down", "cross via EUR", "EUR/USD", "EUR/JPY", "Unrounded"):
            assert part in receipt, f"no {part} in the receipt:\n{receipt}"
        total = text(page, "#receipt .total")
        assert re.fullmatch(r"\d+ JPY", total), total
        snapshot = re.search(r"[0-9A-Z]{10}-[0-9a-f]{8}", receipt)
        assert snapshot, receipt
        again = asked(f"{what['base']}/v1/convert/USD/JPY/19.99?rounding=down&numbers=string&snapshot={snapshot[0]}")
        assert f"{again['converted']} JPY" == total and again["result_unrounded"] in receipt, dump(again)
        seen("the converter's receipt, which its snapshot gives again")

        page.fill("#amount", "<img src=x onerror=alert(1)>")
        page.press("#amount", "Enter")
        page.wait_for_selector("#receipt .problem")
        assert "not a plain decimal number" in text(page, "#receipt"), text(page, "#receipt")
        assert page.evaluate("() => document.querySelectorAll('#receipt img').length") == 0
        seen("a refused amount, told as text; the 400 is no trouble of the page")
        page.troubles.seen = [one for one in page.troubles.seen if "status of 400" not in one]

        told(f"{what['upstream']}/control/script", [{"status": 429, "headers": {"Retry-After": "25"}}])
        page.wait_for_selector("#pauses:not([hidden])")
        first = seconds(text(page, ".countdown"))
        until(page, "(first) => parseInt(document.querySelector('.countdown').innerText) <= first - 3", first)
        assert "rate limited" in text(page, "#pauses"), text(page, "#pauses")
        until(page, "() => document.querySelector('#tile-rates').innerText.includes('Stale')")
        assert "upstream calls pause" in text(page, "#events"), text(page, "#events")
        seen(f"a cooldown that counts down from {first} s, and the rates' staleness")
        page.wait_for_selector("#pauses", state="hidden", timeout=45000)
        until(page, "() => document.querySelector('#tile-rates').innerText.includes('Fresh')", seconds=30)
        seen("its end, and fresh rates")

        row = f'[data-instance="{what["victim"]["name"]}"]'
        assert page.is_visible(row), text(page, "#instances")
        count = int(text(page, "#tile-instances .value"))
        os.kill(what["victim"]["pid"], signal.SIGKILL)
        page.wait_for_selector(row + ".gone", timeout=30000)
        until(page, "(count) => document.querySelector('#tile-instances .value').innerText === String(count - 1)", count)
        seen("a killed instance that leaves")


def quiet(browser, what):
    """The page rests while nobody looks, comes back, and works by keyboard alone."""
    with browser.page() as page:
        opened(page, what["base"])
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.className") == "skip"
        places = []
        for _ in range(14):
            page.keyboard.press("Tab")
            places.append(page.evaluate("() => document.activeElement.id || document.activeElement.tagName"))
        for place in ("pairBase", "pairQuote", "amount", "from", "to", "rounding"):
            assert place in places, places
        seen("every control by the Tab key")
        announced = page.evaluate("() => document.getElementById('announce').textContent")
        assert announced == "", f"read out without a change: {announced}"
        hide(page, True)
        until(page, "() => document.getElementById('link').innerText === 'resting'")
        page.wait_for_timeout(1500)
        page.troubles.answers.clear()
        page.wait_for_timeout(5000)
        assert not page.troubles.answers, f"asked while hidden: {page.troubles.answers}"
        hide(page, False)
        page.wait_for_selector("#link.good")
        assert page.troubles.answers, "nothing asked after coming back"
        seen("no request while hidden, and all of it again afterwards")
        rate = len(page.troubles.answers)
        page.wait_for_timeout(10000)
        asks = len(page.troubles.answers) - rate
        assert asks <= 25, f"{asks} requests in 10 s: {page.troubles.answers[rate:]}"
        seen(f"{asks} requests in 10 s")


def plain(browser, what):
    """Without scripts the most important facts stand there."""
    with browser.page(scripts=False) as page:
        page.goto(what["base"] + "/")
        body = text(page, "body")
        for part in ("Simulated upstream", "latest:EUR", "live", "Calls", "Cooldown", "none", "Redis answers", "Fresh until"):
            assert part in body, f"no {part} in:\n{body}"
        assert not page.is_visible("#board") and not page.is_visible("#linkLine")
        seen("the plain form without scripts")


def guarded(browser, what):
    """With a clients file nothing is told or asked before a token is typed, and it stays in the tab."""
    with browser.page(scripts=False) as page:
        page.goto(what["base"] + "/")
        body = text(page, "body")
        assert "client's token" in body and "latest:" not in body and "Redis" not in body, body
        seen("a plain form that tells nothing")
    with browser.page() as page:
        page.goto(what["base"] + "/")
        page.wait_for_selector("#tokenForm:not([hidden])")
        assert not [url for _, url in page.troubles.answers if "/v1/" in url], page.troubles.answers
        axe_finds_nothing(page, "the question for a token")
        page.fill("#token", "nobody-has-this-one")
        page.press("#token", "Enter")
        until(page, "() => document.getElementById('tokenProblem').innerText.includes('Nobody has')")
        assert page.evaluate("() => document.getElementById('token').value") == ""
        page.troubles.seen = [one for one in page.troubles.seen if "status of 403" not in one]
        page.fill("#token", what["token"])
        page.press("#token", "Enter")
        page.wait_for_selector("#tile-rates")
        # The gateway has just begun: what there is to choose from may come with the second question for it.
        page.wait_for_selector("#link.good", timeout=30000)
        assert what["token"] not in page.url and what["token"] not in page.content()
        assert page.evaluate("() => document.cookie + JSON.stringify(localStorage)") == "{}"
        page.reload()
        page.wait_for_selector("#tile-rates")
        page.click("#forget")
        page.wait_for_selector("#tokenForm:not([hidden])")
        seen("a token that opens the page, stays in the tab, and is forgotten")
        # The gateway has just begun: before its first snapshot, maybe of this very second, none is kept.
        page.troubles.forgive("status of 410")


def axe(browser, what):
    """axe-core finds nothing, dark and light, on a phone and on a desktop; nothing is wider than the screen."""
    for size in [*SIZES, {"width": 360, "height": 740}, {"width": 2200, "height": 1200}]:
        for scheme in ("light", "dark"):
            with browser.page(size=size, scheme=scheme) as page:
                opened(page, what["base"])
                until(page, "() => document.querySelectorAll('#rateChart circle').length >= 1")
                until(page, "() => document.querySelectorAll('#classes li').length >= 1")
                page.press("#amount", "Enter")
                page.wait_for_selector("#receipt .total")
                width = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                assert width <= 0, f"{size} is {width} px wider than the screen"
                axe_finds_nothing(page, f"{size} {scheme}")


def axe_finds_nothing(page, name):
    found = Axe().run(page).response["violations"]
    assert not found, f"{name}: " + dump(
        [{"id": one["id"], "help": one["help"], "nodes": [node["html"][:200] + node["failureSummary"] for node in one["nodes"]]} for one in found]
    )
    seen(f"nothing to complain of for axe: {name}")


def paint(browser, what):
    """How long until something is to be seen, by the browser's own timing."""
    times = []
    for _ in range(7):
        with browser.page() as page:
            opened(page, what["base"])
            times.append(page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    print(f"first contentful paint: median {statistics.median(times):.0f} ms of {sorted(round(time) for time in times)}")
    assert statistics.median(times) < 2000, times


def pictures(browser, what):
    for name in take_pictures(browser, what):
        seen(name)


def seconds(text):
    return int(text.split()[0])


def told(url, body):
    request = urllib.request.Request(url, data=json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10):
        pass


SCENES = {scene.__name__: scene for scene in (live, quiet, plain, guarded, axe, paint, pictures, away, exact, lost, many, revoked, walk)}


def main():
    scene, what = SCENES[sys.argv[1]], json.loads(sys.argv[2])
    with Browser(CHROMIUM, what["base"]) as browser:
        scene(browser, what)


if __name__ == "__main__":
    main()
