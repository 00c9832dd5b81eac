# The node in a container; what it keeps is in /var/lib/plinth.
FROM node:22-bookworm-slim AS build
WORKDIR /opt/plinth
COPY . .
RUN npm ci && npm prune --omit=dev --ignore-scripts

FROM node:22-bookworm-slim
COPY --from=build /opt/plinth /opt/plinth
RUN mkdir --parents /var/lib/plinth && chown 1000:1000 /var/lib/plinth
# The user `node` of the image.
USER 1000:1000
WORKDIR /var/lib/plinth
VOLUME /var/lib/plinth
ENV PLINTH_DATA_PATH=/var/lib/plinth
# HTTP, WebSocket, GraphQL and metrics, where they are switched on; peers and discovery.
EXPOSE 8545 8546 8547 9545 30303/tcp 30303/udp
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s \
  CMD ["/bin/sh", "-c", "node /opt/plinth/cli/bin/plinth.js status || exit 1"]
ENTRYPOINT ["node", "--max-semi-space-size=64", "/opt/plinth/cli/bin/plinth.js"]
