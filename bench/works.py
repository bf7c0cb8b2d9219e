"""What the servers are asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from .servers import PEERS, SYMBOLS, TABLE

BASES = ("USD", "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "HKD", "HUF", "NOK", "SEK")
ALL = ("gateway", "floor", *PEERS)


@dataclass(frozen=True)
class Work:
    name: str
    title: str
    #: Asked for by turns.
    targets: tuple[str, ...] = (SYMBOLS,)
    servers: tuple[str, ...] = ALL
    connections: int = 64
    pipeline: int = 1
    #: Header fields of each request; the tag is put in for `{tag}`.
    fields: tuple[str, ...] = ()
    threads: int = 1


WORKS = (
    Work("hit", "`latest`, 3 symbols"),
    Work("table", "`latest`, whole table", targets=(TABLE,)),
    # Without haproxy: its 304 bears the Content-Length of the table, and wrk waits for those bytes.
    Work("304", "`latest`, 3 symbols, answered 304", fields=("If-None-Match: {tag}",),
         servers=tuple(name for name in ALL if name != "haproxy")),
    Work("rate", "`rate`, a cross", targets=("/v1/rate/usd-jpy",), servers=("gateway",)),
    Work("convert", "`convert`, the same amount again", targets=("/v1/convert/usd/jpy/19.99",), servers=("gateway",)),
    Work("derived", "`latest`, 3 symbols of a derived base", targets=("/v1/latest/USD?symbols=EUR,GBP,JPY",),
         servers=("gateway",)),
    Work("bases", "the same of 12 derived bases by turns",
         targets=tuple(f"/v1/latest/{base}?symbols=EUR,GBP,JPY" for base in BASES), servers=("gateway",)),
    Work("pipelined", "16 requests pipelined", pipeline=16),
    Work("close", "a connection for each request", fields=("Connection: close",)),
    Work("c1000", "1,000 connections", connections=1_000),
    Work("threads2", "2 threads, not pinned", threads=2),
)
