# syntax=docker/dockerfile:1
# Weir in a container, as two images:
#
#   docker build --tag=weir:0.1.0-dev .                           all of it: the API on the embedded store
#   docker build --tag=weir:0.1.0-dev-static --target=static .    one static file without the embedded store: sidecar, gateway, cluster
#
# Both run as user 65532, have the configurations in /etc/weir and keep their data in the volume /data: in a folder there that
# they make themselves, so that it is theirs even where the volume is not. That user must be able to write to it.
#
# Neither has a shell, so whoever runs them looks from outside: GET /api/public/ready on port 3000 answers 200 when data is
# taken, 503 before; sidecar and gateway also answer GET / on port 13133 (`health_check`).

FROM golang:1.26-bookworm AS source
WORKDIR /src
# First what seldom changes, so that the modules are not fetched again for every change of ours.
COPY go.mod go.sum tools.mod tools.sum ./
RUN go mod download && go mod download -modfile=tools.mod
COPY . .
# A volume belongs to whoever owns the folder in the image.
RUN mkdir /data

FROM source AS build-static
RUN make build-static

FROM gcr.io/distroless/static-debian12:nonroot AS static
LABEL org.opencontainers.image.title="Weir, without the embedded store" \
      org.opencontainers.image.source="https://github.com/weirhq/weir" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build-static /src/_build/static/weir /usr/bin/weir
COPY configs/sidecar.yaml configs/gateway.yaml configs/cluster.yaml /etc/weir/
COPY --from=source --chown=65532:65532 /data /data
ENV WEIR_DATA_DIR=/data/weir
VOLUME /data
USER 65532:65532
EXPOSE 3000 4317 4318 8888 13133
ENTRYPOINT ["/usr/bin/weir"]
CMD ["--config=/etc/weir/gateway.yaml"]

FROM source AS build
RUN make build

# DuckDB is C++: glibc and libstdc++, of the same Debian as the compiler above.
FROM gcr.io/distroless/cc-debian12:nonroot AS full
LABEL org.opencontainers.image.title="Weir" \
      org.opencontainers.image.source="https://github.com/weirhq/weir" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /src/_build/weir /src/_build/weir-copy /usr/bin/
COPY configs/local.yaml configs/sidecar.yaml configs/gateway.yaml configs/cluster.yaml /etc/weir/
COPY --from=source --chown=65532:65532 /data /data
# Reachable from outside the container, so it asks for keys of your own: WEIR_PUBLIC_KEY and WEIR_SECRET_KEY. The ports that
# ask for no keys stay inside.
ENV WEIR_DATA_DIR=/data/weir \
    WEIR_ENDPOINT=0.0.0.0:3000
VOLUME /data
USER 65532:65532
EXPOSE 3000
ENTRYPOINT ["/usr/bin/weir"]
CMD ["--config=/etc/weir/local.yaml"]
