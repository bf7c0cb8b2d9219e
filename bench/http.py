"""A client that reads whole answers off a kept connection; for set-up and for what wrk can't do."""

from __future__ import annotations

import socket
from dataclasses import dataclass


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes

    def field(self, name: str) -> str | None:
        """The first value of a field, in any letter case."""
        wanted = name.lower().encode() + b":"
        for line in self.head.split(b"\r\n")[1:]:
            if line.lower().startswith(wanted):
                return line[len(wanted):].strip().decode()
        return None

    @property
    def wire(self) -> bytes:
        """The bytes as they came."""
        return self.head + b"\r\n\r\n" + self.body


def request(target: str, fields: tuple[str, ...] = (), method: str = "GET") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", "Host: gateway", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def parse(buffer: bytes) -> tuple[Answer, bytes] | None:
    """The first answer of a buffer and what follows it; None while it isn't whole."""
    head, found, rest = buffer.partition(b"\r\n\r\n")
    if not found:
        return None
    status = int(head[9:12])
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        if name.lower() == b"transfer-encoding":
            raise ValueError("an answer in chunks can't be compared with one of known length")
    if status in (204, 304):
        length = 0
    if len(rest) < length:
        return None
    return Answer(status, head, rest[:length]), rest[length:]


class Connection:
    """One kept connection, one request at a time."""

    def __init__(self, port: int, timeout: float = 10) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def exchange(self, asked: bytes) -> Answer:
        self.socket.sendall(asked)
        return self.read()

    def read(self) -> Answer:
        while (parsed := parse(self.rest)) is None:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise ConnectionError("closed within an answer")
            self.rest += chunk
        answer, self.rest = parsed
        return answer

    def close(self) -> None:
        self.socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def get(port: int, target: str, fields: tuple[str, ...] = (), method: str = "GET") -> Answer:
    """One request on a connection of its own."""
    with Connection(port) as connection:
        return connection.exchange(request(target, fields, method))
