# The image of Utility API. docs/operate/install.md ("Image") says how to build, run and check it.
# `npm test -- image` runs these steps. The tags are not pinned by digest: see docs/operate/install.md.

FROM node:26.10.0-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
COPY client/package.json client/
COPY tooling/package.json tooling/
COPY runtime runtime
COPY scripts/setup.mjs scripts/setup-browser.mjs scripts/
COPY scripts/setup scripts/setup
RUN npm ci --ignore-scripts --include-workspace-root --workspace dashboard
COPY . .
# Debian has the browser; the fonts are set up below.
RUN npm run build -- --without-setup --out /app

FROM debian:trixie-slim
LABEL org.opencontainers.image.title="Utility API" \
  org.opencontainers.image.description="Email validation, URL metadata and HTML to PDF over HTTP" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="MIT"

# Chromium's own libraries come with it. libatomic1 and libstdc++6 are those of Node.
RUN apt-get update \
  && apt-get upgrade -y \
  && apt-get install -y --no-install-recommends chromium-headless-shell libatomic1 libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/*

COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
ENV PATH=/app/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

RUN groupadd --gid 10001 utility-api \
  && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin utility-api \
  && install -d -o 10001 -g 10001 -m 0700 /data \
  && install -d -o 10001 -g 10001 /app/compile-cache

# The fonts, from the packages of the build stage, indexed by the browser.
RUN --mount=type=bind,from=build,source=/src,target=/src node /src/scripts/setup-browser.mjs

USER 10001:10001
# Compiled code for this version of Node and this user: it saves a third of the CPU time of a start.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN warm-up.mjs

ENV HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data \
  ADMIN_COMMAND=admin \
  MALLOC_ARENA_MAX=2
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["health-check.mjs"]
ENTRYPOINT ["tini", "--", "utility-api"]
