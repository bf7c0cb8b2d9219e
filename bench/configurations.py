"""The peers' configuration files: each caches what one origin says, with one worker or more."""

from __future__ import annotations

from pathlib import Path


def nginx(directory: Path, port: int, origin: int, *, workers: int, is_tuned: bool) -> str:
    """Debian's own settings, or those that a cache of small answers is fastest with."""
    settings = """
    sendfile off;
    tcp_nopush off;
    tcp_nodelay on;
    access_log off;
    keepalive_timeout 300s;
    keepalive_requests 1000000000;
    open_file_cache max=1000 inactive=1h;
    open_file_cache_valid 1h;
    reset_timedout_connection on;
""" if is_tuned else f"""
    sendfile on;
    tcp_nopush on;
    types_hash_max_size 2048;
    access_log {directory}/access.log;
    gzip on;
"""
    return f"""
worker_processes {workers};
daemon off;
pid {directory}/nginx.pid;
error_log {directory}/error.log crit;
worker_rlimit_nofile 20000;
events {{ worker_connections 12000; }}
http {{
    {settings}
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    proxy_cache_path {directory}/cache levels=1:2 keys_zone=rates:10m inactive=1d use_temp_path=off;
    server {{
        listen 127.0.0.1:{port} backlog=4096 reuseport;
        location / {{
            proxy_pass http://127.0.0.1:{origin};
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache rates;
            proxy_cache_key $request_uri;
        }}
    }}
}}
"""


def haproxy(directory: Path, port: int, origin: int, *, threads: int) -> str:
    return f"""
global
    nbthread {threads}
    maxconn 10500
    no strict-limits
    stats socket {directory}/admin.sock
defaults
    mode http
    timeout connect 5s
    timeout client 300s
    timeout server 30s
    timeout http-keep-alive 300s
cache rates
    total-max-size 16
    max-object-size 65536
    max-age 86400
frontend rates
    bind 127.0.0.1:{port}
    http-request cache-use rates
    http-response cache-store rates
    default_backend origin
backend origin
    server origin 127.0.0.1:{origin}
"""


def varnish(origin: int) -> str:
    return f"""
vcl 4.1;
backend origin {{ .host = "127.0.0.1"; .port = "{origin}"; }}
"""
