# Two stages: the toolchain builds, the second image has the binary and the libraries it is linked with.
# Package versions aren't pinned: a stable Debian replaces them by security updates, and the pinned ones vanish.
FROM swift:6.3-bookworm AS build
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends \
        libhiredis-dev libevent-dev node-llhttp libjson-c-dev libsodium-dev libcurl4-openssl-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources ./Sources
# Compiled in.
COPY docs/openapi.json ./docs/openapi.json
COPY Tests ./Tests
COPY Examples ./Examples
RUN swift build -c release --static-swift-stdlib --product fxgateway \
    && cp "$(swift build -c release --static-swift-stdlib --show-bin-path)/fxgateway" /fxgateway

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends \
        ca-certificates tzdata libhiredis0.14 libevent-core-2.1-7 libjson-c5 libsodium23 libcurl4 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --uid 10001 fxgateway
COPY --from=build /fxgateway /usr/local/bin/fxgateway
# By number: a platform that refuses root can tell without the image's user list.
USER 10001
ENV FXGW_LISTEN=0.0.0.0:8080
EXPOSE 8080
# The binary asks itself: no shell and no curl needed in the image.
HEALTHCHECK --interval=5s --timeout=2s --start-period=10s CMD ["fxgateway", "healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["fxgateway"]
CMD ["serve"]
