// Weir in a test suite: one process on free ports, with a fresh store.
//
// Copy this file beside your tests. With vitest, or with node:test as here:
//
//   let weir;
//   beforeAll(async () => { weir = await startWeir(); });
//   afterAll(() => weir.remove());
//
// weir.url, weir.publicKey and weir.secretKey are what every client of the service asks for. It needs nothing but Node.
// WEIR_BINARY names the binary, _build/weir of a clone in which it was built, and WEIR_CONFIG another configuration than
// configs/local.yaml of that clone.

import { spawn } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const binary = resolve(process.env.WEIR_BINARY || fileURLToPath(new URL("../../_build/weir", import.meta.url)));
const config = resolve(process.env.WEIR_CONFIG || join(dirname(binary), "..", "configs", "local.yaml"));

/** A server that takes data. Settings change the configuration: "processors::langfuse::metadata::encoding: plain". */
export async function startWeir(...settings) {
  for (const [file, setting] of [[binary, "WEIR_BINARY"], [config, "WEIR_CONFIG"]]) {
    if (!existsSync(file)) throw new Error(`there is no ${file}: set ${setting}, or run \`make build\` in the clone of Weir that has it`);
  }
  const weir = new Weir(settings, await freeAddresses(4));
  try {
    await weir.start();
  } catch (error) {
    await weir.remove();
    throw error;
  }
  return weir;
}

/** A server that can be stopped and started again, on the same ports and with the same data. */
class Weir {
  constructor(settings, [api, grpc, http, metrics]) {
    this.url = `http://${api}`;
    this.otlpUrl = `http://${http}`;
    this.publicKey = `pk-lf-${randomUUID()}`;
    this.secretKey = `sk-lf-${randomUUID()}`;
    this.folder = mkdtempSync(join(tmpdir(), "weir-"));
    this.log = join(this.folder, "weir.log");
    this.arguments = [`--config=${config}`, ...settings.map((each) => `--config=yaml:${each}`)];
    this.environment = {
      ...process.env,
      WEIR_DATA_DIR: join(this.folder, "store"),
      // With configs/cluster.yaml these two are what WEIR_DATA_DIR is with the embedded store.
      WEIR_CLICKHOUSE_DATABASE: `weir_${randomUUID().replaceAll("-", "")}`,
      WEIR_MEDIA_DIR: join(this.folder, "media"),
      WEIR_ENDPOINT: api,
      WEIR_GRPC_ENDPOINT: grpc,
      WEIR_HTTP_ENDPOINT: http,
      WEIR_METRICS_PORT: metrics.split(":")[1],
      WEIR_PUBLIC_KEY: this.publicKey,
      WEIR_SECRET_KEY: this.secretKey,
    };
  }

  /** Done when the server takes data, usually after a fifth of a second. */
  async start(patience = 30_000) {
    const log = openSync(this.log, "a");
    this.process = spawn(binary, this.arguments, { env: this.environment, stdio: ["ignore", log, log] });
    closeSync(log);
    this.exited = new Promise((done) => {
      this.process.once("exit", done);
      this.process.once("error", done);
    });
    // A test run that is aborted leaves no server behind.
    this.end = () => this.process.kill();
    process.once("exit", this.end);
    let ended;
    this.exited.then((why) => (ended = why instanceof Error ? why.message : "it ended"));
    const deadline = Date.now() + patience;
    while (!(await this.isReady())) {
      if (ended || Date.now() > deadline) {
        await this.stop();
        throw new Error(`Weir did not start: ${ended ?? "no answer"}\n${readFileSync(this.log, "utf8")}`);
      }
      await pause(10);
    }
  }

  async isReady() {
    try {
      return (await fetch(`${this.url}/api/public/ready`)).ok;
    } catch {
      return false;
    }
  }

  /** Everything that was acknowledged is still there after another start. */
  async stop() {
    process.removeListener("exit", this.end);
    this.process.kill();
    await this.exited;
  }

  /** Stops it for good. */
  async remove() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Addresses of loopback on which nothing listens. All are held until the last is found, so that no two are the same. */
async function freeAddresses(count) {
  const servers = await Promise.all(Array.from({ length: count }, () => listenSomewhere()));
  const addresses = servers.map((server) => `127.0.0.1:${server.address().port}`);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return addresses;
}

/** Below the ports of outgoing connections, any of which could take the port before the server starts. */
function listenSomewhere(tries = 100) {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once("error", (error) => (tries > 1 ? listenSomewhere(tries - 1).then(done, failed) : failed(error)));
    server.listen(randomInt(15000, 32000), "127.0.0.1", () => done(server));
  });
}
