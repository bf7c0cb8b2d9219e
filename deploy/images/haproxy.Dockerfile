# Debian's HAProxy in the form of the public image haproxy:2.8-bookworm, for machines that reach no registry of images.
# scripts/local-images builds it.
ARG RUNTIME_IMAGE=debian:bookworm-slim
FROM ${RUNTIME_IMAGE}
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends haproxy \
    && rm -rf /var/lib/apt/lists/*
# The number of HAProxy's user in the public image.
USER 99:99
# Lets running requests end; SIGTERM would cut them.
STOPSIGNAL SIGUSR1
ENTRYPOINT ["haproxy", "-W", "-db"]
CMD ["-f", "/usr/local/etc/haproxy/haproxy.cfg"]
