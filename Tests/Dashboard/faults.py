"""Scenes of the dashboard in trouble: nobody answers, Redis is away, a token is revoked, numbers that JavaScript can't hold."""

import hashlib
import json
import os
import re
import signal
import time
import urllib.parse

from browser import asked, dump, hide, opened, seen, text, until

UNKNOWN = "unknown while the store is away"


def away(browser, what):
    """Redis hangs for longer than one is called gone after: the others are unknown, and this one is here."""
    with browser.page() as page:
        opened(page, what["base"])
        until(page, "() => document.querySelector('#tile-instances .value').innerText === '2'")
        os.kill(what["redis"], signal.SIGSTOP)
        try:
            last = "() => Number(document.getElementById('fleet').innerText.match(/Last answer\\s+([\\d.]+) s ago/)?.[1]) > 14"
            until(page, last, seconds=40)
            status = asked(what["base"] + "/v1/status")
            ages = {one["is_this_instance"]: one["seen_ms_ago"] for one in status["instances"]}
            assert not status["store"]["reachable"] and ages[True] == 0 and ages[False] > 10000, dump(status["instances"])
            assert page.locator("#instances .gone").count() == 0, text(page, "#instances")
            assert "gone" not in page.locator("#instances .pill").all_inner_texts()
            assert UNKNOWN in text(page, "#tile-instances"), text(page, "#tile-instances")
            rows = {bool(one["is_this_instance"]): text(page, f'[data-instance="{one["name"]}"]') for one in status["instances"]}
            assert "answers this page" in rows[True] and "now" in rows[True], rows
            assert UNKNOWN in rows[False], rows
            seen("a fleet that nobody knows of while the store is away")
        finally:
            os.kill(what["redis"], signal.SIGCONT)
        until(page, "() => document.querySelector('#tile-instances .value').innerText === '2'", seconds=60)
        assert UNKNOWN not in text(page, "#instances"), text(page, "#instances")
        seen("all of it again when the store is back")
        page.troubles.forgive("status of 503")


def exact(browser, what):
    """The headline of a derived pair has the gateway's digits, also where the stream has told of them."""
    with browser.page() as page:
        opened(page, what["base"])
        page.select_option("#pairBase", "JPY")
        page.select_option("#pairQuote", "GBP")
        until(page, "() => document.getElementById('rateText').innerText.startsWith('1 JPY')")
        newest = "() => document.querySelector('#rateChart circle:last-of-type title')?.textContent.match(/snapshot (.*)$/)?.[1]"
        until(page, newest)
        # The way back begins at the newest one: what is newer has come by the stream. Few rates would survive as a double.
        for _ in range(5):
            before = page.evaluate(newest)
            until(page, f"(before) => ({newest})() !== before", before)
            shown, snapshot = page.evaluate(f"() => [document.querySelector('#rateText strong').innerText, ({newest})()]")
            told = asked(f"{what['base']}/v1/rate/JPY-GBP?numbers=string&snapshot={snapshot}")
            assert told["cache"]["derivation"] == "cross", dump(told)
            assert shown == told["rate"], f"{shown} is shown, {told['rate']} is the rate"
            if repr(float(shown)) != shown:
                break
        assert repr(float(shown)) != shown, f"{shown} would survive as a number of JavaScript"
        seen(f"{shown}, digit by digit, of a snapshot that came live")


def many(browser, what):
    """As many instances as are listed at most are so many or more; what is in quarantine is shown as it is written."""
    count, digits = 64, "0.00000012345678901234567890"

    def crowd(route):
        answer = route.fetch()
        body = answer.json()
        own = next(one for one in body["instances"] if one["is_this_instance"])
        others = [{"name": f"other:{number}", "seen_ms_ago": 5, "is_this_instance": False} for number in range(count - 1)]
        body["instances"] = [own, *others]
        body["resources"][0]["quarantine"] = [{
            "id": "EUR-XAU", "source": "live", "served": "@", "held_back": "@@", "confirmations": 1, "confirmations_needed": 3,
            "since": body["time"], "served_until": body["time"],
        }]
        written = json.dumps(body, separators=(",", ":")).replace('"@"', digits).replace('"@@"', "1.10")
        route.fulfill(response=answer, body=written)

    with browser.page() as page:
        page.route("**/v1/status", crowd)
        opened(page, what["base"])
        assert text(page, "#tile-instances .value") == "64 or more", text(page, "#tile-instances")
        assert f"served {digits}, held back 1.10:" in text(page, "#quarantine"), text(page, "#quarantine")
        count = 63
        until(page, "() => document.querySelector('#tile-instances .value').innerText === '63'")
        seen("64 or more where 64 are listed, and digits of the quarantine as they are written")
        page.unroute_all(behavior="wait")


def lost(browser, what):
    """Where nobody answers the page asks ever more seldom; where one question is answered again, all are asked at once."""
    asks, is_away = [], True

    def decide(route):
        # Without its stream, which would hurry all questions by itself.
        if is_away or "/v1/stream" in route.request.url:
            route.abort()
        else:
            route.continue_()

    def paths():
        return [urllib.parse.urlparse(url).path for url in asks]

    with browser.page() as page:
        # The page's clock runs ahead by hand, so that its long waits are not waited for.
        page.clock.install()
        page.on("request", lambda request: asks.append(request.url))
        page.route("**/v1/**", decide)
        page.goto(what["base"] + "/")
        ahead(page, 9)
        count = paths().count("/v1/status")
        assert 1 < count < 4, f"{count} questions in 9 s before the first answer"
        is_away = False
        page.wait_for_selector("#tile-rates")
        until(page, "() => document.getElementById('link').innerText === 'polling'")
        until(page, "() => document.querySelectorAll('#rateChart circle').length > 0")
        seen(f"{count} questions in 9 s before the first answer, and a page that comes by itself")
        is_away = True
        ahead(page, 22)
        is_away = False
        asks.clear()
        with page.expect_response(lambda answer: answer.ok, timeout=5000):
            ahead(page, 35)
        ahead(page, 4)
        missing = {f"/v1/{name}" for name in ("status", "events", "quota", "sources", "explain")} - set(paths())
        assert not missing, f"still waiting: {missing}"
        seen("all questions again soon after the first answer")
        page.troubles.forgive("ERR_FAILED")
        page.unroute_all(behavior="wait")


def ahead(page, seconds):
    """Moves the page's clock on, in steps between which what was asked for is answered."""
    for _ in range(seconds * 2):
        page.clock.run_for(500)
        page.wait_for_timeout(20)


def walk(browser, what):
    """The way back through the snapshots rests with the page, and begins again with it."""
    held = []
    with browser.page() as page:
        opened(page, what["base"])
        until(page, "() => document.querySelectorAll('#rateChart circle').length >= 3", seconds=40)
        # The first pair's own way back may still go on.
        page.route("**/v1/rate/*-JPY?*", lambda route: held.append(route))
        page.select_option("#pairQuote", "JPY")
        wait(page, lambda: len(held) == 1, "a first step back")
        hide(page, True)
        held[0].continue_()
        page.wait_for_timeout(1500)
        assert len(held) == 1, f"asked while hidden: {[one.request.url for one in held[1:]]}"
        hide(page, False)
        wait(page, lambda: len(held) == 2, "a step back after the rest")
        held[1].continue_()
        # What is on its way is let through by this as well.
        page.unroute("**/v1/rate/*-JPY?*")
        until(page, "() => document.querySelectorAll('#rateChart circle').length >= 3")
        seen("a way back that rests while hidden")


def revoked(browser, what):
    """A token that is taken away is asked for anew with the reason, and late refusals of it touch nothing."""
    held = {}
    new = what["token"] + "-new"

    def hold(route):
        held[re.search(r"/v1/(\w+)", route.request.url)[1]] = route

    def refuse(name):
        assert held[name].request.failure is None, f"{name} has given up waiting"
        held[name].fulfill(status=403, content_type="application/problem+json", body='{"detail": "late"}')
        page.wait_for_timeout(300)

    with browser.page() as page:
        page.goto(what["base"] + "/")
        page.fill("#token", what["token"])
        page.press("#token", "Enter")
        page.wait_for_selector("#tile-rates")
        # The gateway has just begun: what there is to choose from may come with the second question for it.
        page.wait_for_selector("#link.good", timeout=30000)
        for name in ("quota", "explain"):
            page.route(f"**/v1/{name}*", hold)
        wait(page, lambda: len(held) == 2, "two questions on their way")
        digest = hashlib.sha256(new.encode()).hexdigest()
        with open(what["clients"]["path"], "w") as file:
            json.dump({"clients": [{"name": "people", "token_sha256": digest}]}, file)
        os.kill(what["clients"]["pid"], signal.SIGHUP)
        page.wait_for_selector("#tokenForm:not([hidden])")
        assert text(page, "#tokenProblem") == "Nobody has this token.", text(page, "#tokenProblem")
        refuse("quota")
        assert text(page, "#tokenProblem") == "Nobody has this token.", text(page, "#tokenProblem")
        seen("a revoked token, and a reason that stays")
        page.fill("#token", new)
        page.press("#token", "Enter")
        refuse("explain")
        page.unroute_all()
        assert page.evaluate("() => sessionStorage.getItem('fxgateway-token')") == new
        assert not page.is_visible("#tokenForm")
        page.wait_for_selector("#link.good", timeout=30000)
        seen("a new token that a late refusal of the old one leaves alone")
        page.troubles.forgive("status of 403")
        page.troubles.forgive("status of 410")


def wait(page, is_done, name, seconds=20):
    """Until something here is true, while the browser goes on."""
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, f"not in {seconds} s: {name}"
        page.wait_for_timeout(50)
