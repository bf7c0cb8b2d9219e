# The image of FX Gateway: the program and the Debian libraries that it is linked with.
#
#   DOCKER_BUILDKIT=1 docker build -t fxgateway .     builds the program too, in an image with a Swift toolchain
#   docker build -t fxgateway --target prebuilt .     takes dist/fxgateway, which scripts/release --program makes
#
# Both end in the same image. A builder without BuildKit, which is Docker 20.10's default, runs every stage before the
# wanted one: in this order the second command needs no toolchain, and the first one without BuildKit would want
# dist/fxgateway. Package versions aren't pinned: a stable Debian replaces them by security updates, and the pinned ones
# vanish.
ARG RUNTIME_IMAGE=debian:bookworm-slim
ARG BUILD_IMAGE=swift:6.3-bookworm

FROM ${RUNTIME_IMAGE} AS libraries
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="FX Gateway" \
      org.opencontainers.image.description="A caching gateway for the exchange-rate API exchangerate.dev" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates tzdata libhiredis0.14 libevent-core-2.1-7 libjson-c5 libsodium23 libcurl4 libstdc++6 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/apt /var/log/dpkg.log \
    && groupadd --system --gid 10001 fxgateway \
    && useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin --uid 10001 --gid 10001 fxgateway
# By number: a platform that refuses root can tell without the image's user list.
USER 10001:10001
ENV FXGW_LISTEN=0.0.0.0:8080
EXPOSE 8080
# The binary asks itself: no shell and no curl needed in the image.
HEALTHCHECK --interval=5s --timeout=2s --start-period=10s --retries=3 CMD ["fxgateway", "healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["fxgateway"]
CMD ["serve"]

FROM libraries AS prebuilt
COPY dist/fxgateway /usr/local/bin/fxgateway

FROM ${BUILD_IMAGE} AS build
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
    && cp "$(swift build -c release --static-swift-stdlib --show-bin-path)/fxgateway" /fxgateway \
    && strip /fxgateway

FROM libraries AS runtime
COPY --from=build /fxgateway /usr/local/bin/fxgateway
