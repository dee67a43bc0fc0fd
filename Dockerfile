# Plinth as one image: everything in one process by default, or one of its processes by the command (compose.yaml).
# Three stages: what is built, what is installed to run, and the image itself.

FROM oven/bun:1.4.5-debian AS manifests
WORKDIR /plinth
COPY package.json bun.lock bunfig.toml ./
COPY platform/package.json platform/
COPY contract/package.json contract/
COPY db/package.json db/
COPY runtime/package.json runtime/
COPY domain/package.json domain/
COPY api/package.json api/
COPY worker/package.json worker/
COPY web/package.json web/
COPY cli/package.json cli/
COPY server/package.json server/
COPY e2e/package.json e2e/
COPY e2e/support/package.json e2e/support/

# What browsers load, the runtime of documents and the web app, and the command line that people install.
FROM manifests AS built
RUN bun install --frozen-lockfile --no-progress
COPY . .
RUN bun scripts/build-runtime.ts
RUN bun scripts/build-web.ts
RUN bun scripts/build-client.ts

# What the processes run with.
FROM manifests AS installed
RUN bun install --frozen-lockfile --no-progress --production --filter @plinth/server

FROM oven/bun:1.4.5-debian
# Chromium takes the pictures of documents, in a network namespace of its own (unshare is util-linux's).
RUN apt-get update \
 && apt-get install --yes --no-install-recommends chromium fonts-liberation fonts-noto-color-emoji util-linux \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /plinth
COPY --from=installed /plinth ./
COPY platform platform/
COPY contract contract/
COPY db db/
COPY runtime runtime/
COPY domain domain/
COPY api api/
COPY worker worker/
COPY server server/
COPY web web/
COPY --from=built /plinth/runtime/dist runtime/dist/
COPY --from=built /plinth/web/build web/build/
COPY --from=built /plinth/cli/dist/client cli/dist/client/
# The program is root's and can't be changed by what runs it; the data directory is all that it writes.
RUN mkdir /data && chown bun:bun /data
USER bun
ENV NODE_ENV=production \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0 \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["bun", "server/healthy.ts"]
CMD ["bun", "server/main.ts"]
