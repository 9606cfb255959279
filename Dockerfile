# One image for every role: api, worker, smtp, slack. Built in three stages, so that it holds the program, the packages that it runs
# with the built server and web app, and no tool that built them. For linux/amd64 and linux/arm64: what is built is the same for both,
# so that it is built where the builder runs; of the packages, npm takes those of the image's platform.
FROM --platform=$BUILDPLATFORM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS built
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY core core
COPY adapters adapters
COPY api api
COPY cli cli
COPY web web
# The documentation is in the web app; a link of it that leads nowhere ends the build.
COPY docs docs
COPY deploy deploy
COPY .env.example docker-compose.yml CHANGELOG.md CONTRIBUTING.md ./
COPY scripts/parts scripts/parts
RUN node node_modules/vite/bin/vite.js build web --logLevel=warn \
    && node scripts/parts/bundle.mjs

FROM --platform=$BUILDPLATFORM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS packages
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --libc=glibc "--cpu=$(case "$TARGETARCH" in arm64) echo arm64 ;; *) echo x64 ;; esac)"

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=1 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    NODE_OPTIONS=--disable-warning=ExperimentalWarning \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
WORKDIR /app
# /data is the account's own before it becomes a volume, so that a new volume is too.
RUN ln -s /app/dist/command-line.js /usr/local/bin/qinbox \
    && install -d -o node -g node -m 0700 /data
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY scripts/parts/node-flags.json scripts/parts/
COPY core core
COPY adapters adapters
COPY api api
COPY cli cli
COPY --from=built /build/dist dist
COPY --from=built /build/web/dist web/dist
# The account "node", by its number, so that a host can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000 2525
# The server ends by itself within 10 seconds of this signal; it needs no init to hear it (`--init` does no harm).
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The flags of scripts/parts/node-flags.json.
CMD ["node", "--disable-warning=ExperimentalWarning", "--min-semi-space-size=4", "--max-semi-space-size=8", "--v8-pool-size=1", "--no-maglev", "dist/server.js"]
