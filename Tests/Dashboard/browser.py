"""A page of headless Chromium that keeps what must not happen: errors, violations of the policy, foreign requests."""

import json
import os
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

LISTEN = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""

SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1440, "height": 1000}}


class Troubles:
    """What a page complained of, and what it asked others for."""

    def __init__(self, base):
        self.base = base
        self.seen = []
        self.answers = []

    def watch(self, page):
        page.on("console", self.line)
        page.on("pageerror", lambda error: self.note(f"error: {error}"))
        page.on("request", self.request)
        page.on("response", lambda answer: self.answers.append((answer.status, answer.url)))

    def line(self, line):
        if line.type not in ("error", "warning"):
            return
        # On a busy machine Redis may not tell of a past snapshot in time: the chart then ends there.
        if "status of 503" in line.text and "as_of=" in line.location.get("url", ""):
            return
        self.note(f"console: {line.text} {line.location.get('url', '')}")

    def note(self, text):
        self.seen.append(text)

    def request(self, request):
        if not request.url.startswith((self.base + "/", "data:")):
            self.note(f"a request to {request.url}")
        if "token" in request.url.lower():
            self.note(f"a token in {request.url}")

    def forgive(self, words):
        """What a scene has brought about itself."""
        self.seen = [one for one in self.seen if words not in one]

    def must_be_none(self):
        assert not self.seen, "\n".join(self.seen)


class Browser:
    def __init__(self, chromium, base):
        self.chromium = chromium
        self.base = base

    def __enter__(self):
        if not os.access(self.chromium, os.X_OK):
            raise SystemExit(f"there is no browser at {self.chromium}: run scripts/bootstrap --test")
        self.driver = sync_playwright().start()
        # Root has no sandbox to use; the pages are this project's own.
        self.browser = self.driver.chromium.launch(
            executable_path=self.chromium, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.driver.stop()

    @contextmanager
    def page(self, size="desktop", scheme="light", scripts=True, motion="reduce", base=None):
        """A fresh page with its troubles; they are looked at when the block ends."""
        context = self.browser.new_context(
            viewport=SIZES[size] if isinstance(size, str) else size, color_scheme=scheme, java_script_enabled=scripts, reduced_motion=motion,
            locale="en-GB", timezone_id="UTC",
        )
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.set_default_timeout(15000)
        troubles = Troubles(base or self.base)
        troubles.watch(page)
        page.troubles = troubles
        try:
            yield page
            troubles.must_be_none()
        finally:
            context.close()


def opened(page, base):
    """The page once it shows what is held, live."""
    page.goto(base + "/", wait_until="domcontentloaded")
    page.wait_for_selector("#tile-rates")
    page.wait_for_selector("#link.good")
    page.wait_for_selector("#receipt", state="attached")
    return page


def until(page, expression, argument=None, seconds=20):
    """Waits until the expression is true in the page; says what it was if it never is."""
    page.wait_for_function(expression, arg=argument, timeout=seconds * 1000)


def text(page, selector):
    return page.inner_text(selector).strip()


def dump(value):
    return json.dumps(value, indent=1)


def seen(what):
    print(f"seen: {what}", flush=True)


def hide(page, is_hidden):
    page.evaluate(
        """(isHidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def asked(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)
