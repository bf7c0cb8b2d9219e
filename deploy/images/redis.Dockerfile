# Debian's Redis in the form of the public image redis:7-bookworm, for machines that reach no registry of images.
# scripts/local-images builds it. Sentinel is the same program.
ARG RUNTIME_IMAGE=debian:bookworm-slim
FROM ${RUNTIME_IMAGE}
# As in the public image: number 999 owns /data. Debian would choose another number.
# hadolint ignore=DL3008
RUN groupadd --system --gid 999 redis \
    && useradd --system --no-create-home --gid redis --uid 999 redis \
    && apt-get update && apt-get install -y --no-install-recommends redis-server \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o redis -g redis /data
VOLUME /data
WORKDIR /data
USER 999:999
EXPOSE 6379
CMD ["redis-server"]
