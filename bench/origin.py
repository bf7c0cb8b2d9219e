"""What stands behind the proxies that the gateway is compared with: it gives the gateway's own bytes."""

from __future__ import annotations

import socketserver
import threading

from .http import Answer

#: Fields that each proxy makes itself, or that tell it not to keep the answer as the gateway keeps it.
LEFT_OUT = (b"date:", b"age:", b"connection:", b"cache-control:", b"cache-status:", b"x-request-id:")


def stored_form(answer: Answer) -> bytes:
    """An answer of the gateway as an origin would give it to a cache that may keep it for a day."""
    lines = [line for line in answer.head.split(b"\r\n") if not line.lower().startswith(LEFT_OUT)]
    lines.append(b"Cache-Control: public, max-age=86400")
    return b"\r\n".join(lines) + b"\r\n\r\n" + answer.body


class Origin:
    """Serves fixed answers by target on a free port, until `stop`. Counts what it is asked."""

    def __init__(self, answers: dict[str, bytes]) -> None:
        self.asked = 0
        origin = self

        class Exchange(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    while line := self.rfile.readline():
                        self.answer(line)
                except OSError:
                    # A proxy that ends takes its kept connections along.
                    pass

            def answer(self, line: bytes) -> None:
                while self.rfile.readline() not in (b"\r\n", b"\n", b""):
                    pass
                origin.asked += 1
                target = line.split(b" ")[1].decode()
                self.wfile.write(answers.get(target, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True

        self.server = Server(("127.0.0.1", 0), Exchange)
        self.port: int = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
