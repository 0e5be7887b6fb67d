# Piquet in a container, see docs/containers.md: sessions are mounted read-only at /sessions, the warehouse and
# all else that piquet writes lies in /data.

# Any image with glibc, Node 20.19 or later and npm.
ARG BASE=node:20-slim

FROM ${BASE} AS dependencies
# Of use behind a mirror, or without a network where npm's cache is mounted.
ARG npm_config_registry
ARG npm_config_offline
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM ${BASE} AS build
ARG npm_config_registry
ARG npm_config_offline
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# What a user would install, no more: the files of the packed package.
RUN npm pack --silent --pack-destination /tmp \
  && mkdir /app \
  && tar --extract --file /tmp/piquet-*.tgz --directory /app --strip-components 1

FROM ${BASE}
COPY --from=dependencies /app/node_modules /app/node_modules
COPY --from=build /app /app
RUN ln -s /app/dist/pipeline/cli.js /usr/local/bin/piquet && install -d -o 1000 -g 1000 -m 0700 /data
ENV NODE_ENV=production \
    HOME=/data \
    XDG_DATA_HOME=/data \
    PI_CODING_AGENT_SESSION_DIR=/sessions
# The first user of most Linux machines, so that her own files can be read and written; others give --user.
USER 1000:1000
WORKDIR /data
VOLUME /data
ENTRYPOINT ["piquet"]
CMD ["--help"]
