# The signalling server and the MCP proxy, from this source tree. See docs/containers.md.
#   docker build --target server --tag a2c-server .
#   docker build --target proxy --tag a2c-proxy .
# The digest is that of the index of all platforms. Renew it together with the version.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

# Builds with all dependencies, then keeps only the locked run-time dependencies of the command.
FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json tsconfig.base.json ./
COPY requirements ./requirements
COPY scripts ./scripts
COPY tests/certificates ./tests/certificates
COPY packages ./packages
RUN npm ci --no-audit --no-fund \
    && npx tsc -b packages/cli \
    && node packages/console/scripts/build-page.js \
    && node packages/cli/scripts/build-bundle.js \
    && rm -rf node_modules packages/*/node_modules \
    && npm ci --no-audit --no-fund --omit=dev --workspace=a2c

FROM ${NODE_IMAGE} AS runtime
ENV NODE_ENV=production \
    A2C_HOME=/data
WORKDIR /app
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/packages ./packages
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "/app/packages/cli/bin/a2c.js"]
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["node", "-e", "process.exitCode = 1; fetch(process.env.A2C_HEALTH_URL).then(({ ok }) => process.exit(ok ? 0 : 1), () => {})"]

FROM runtime AS proxy
ENV A2C_HEALTH_URL=http://127.0.0.1:8000/healthz
EXPOSE 8000
CMD ["proxy", "--config", "/config/servers.json", "--http", "0.0.0.0:8000"]

# The default target. It refuses to start without TLS: pass certificates, or --insecure.
FROM runtime AS server
ENV A2C_HEALTH_URL=http://127.0.0.1:7000/healthz
EXPOSE 7000
CMD ["server", "--host", "0.0.0.0"]
