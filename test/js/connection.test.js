// Keys, outages, what flush and shutdown promise, and exporters that know nothing of the service.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";

import { startObservation } from "@langfuse/tracing";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { CompressionAlgorithm } from "@opentelemetry/otlp-exporter-base";
import { node, tracing } from "@opentelemetry/sdk-node";

import { connectAlone, feature, unique } from "./support.js";
import { startWeir } from "./weir.js";

/** A test with a server of its own. */
const withServer = (test) => async () => {
  const weir = await startWeir();
  try {
    await test(weir);
  } finally {
    await weir.remove();
  }
};

const keys = feature("auth_check and wrong keys");

keys("good", withServer(async (weir) => {
  const { api } = connectAlone(weir);
  const [project, ...others] = (await api.projects.get()).data;
  assert.equal(project.id, "default");
  assert.ok(["Local", "Default"].includes(project.name), "as the configuration calls it");
  assert.deepEqual(others, []);
  assert.equal((await api.health.health()).status, "OK");
}));

keys("wrong", withServer(async (weir) => {
  const refused = connectAlone(weir, { keys: { secretKey: "sk-wrong" } });
  await assert.rejects(refused.api.projects.get(), (error) => error.statusCode === 401);
  startObservation("refused").end();
  await assert.rejects(refused.flush(), /Unauthorized/);
  const connection = connectAlone(weir);
  assert.equal((await connection.observations({})).size, 0);
}));

const outage = feature("server down and back");

outage("what is sent meanwhile arrives", withServer(async (weir) => {
  // In seconds, for an export with its retries: a busy machine takes its time to start a server.
  const connection = connectAlone(weir, { processor: { timeout: 60 } });
  const before = startObservation("before");
  before.end();
  await connection.flush();
  await weir.stop();
  const during = startObservation("during");
  during.end();
  const flushed = connection.flush();
  await pause(300);
  await weir.start();
  await flushed;
  assert.equal((await connection.observations({ traceId: before.traceId })).size, 1);
  assert.equal((await connection.observations({ traceId: during.traceId })).size, 1);
}));

outage("for good", withServer(async (weir) => {
  const connection = connectAlone(weir, { processor: { timeout: 1 } });
  await weir.stop();
  startObservation("lost").end();
  await connection.flush().catch(() => {}); // comes back
  await weir.start();
}));

const flushing = feature("flush and shutdown");

flushing("flush", withServer(async (weir) => {
  const connection = connectAlone(weir, { processor: { flushInterval: 60, flushAt: 500 } });
  const span = startObservation("kept back");
  span.end();
  assert.equal((await connection.observations({ traceId: span.traceId })).size, 0);
  await connection.flush();
  assert.equal((await connection.observations({ traceId: span.traceId })).size, 1);
}));

flushing("shutdown", withServer(async (weir) => {
  const connection = connectAlone(weir, { processor: { flushInterval: 60 } });
  const span = startObservation("last");
  span.end();
  connection.client.score.observation(span, { name: "last", value: 1 });
  await connection.close();
  const reader = connectAlone(weir);
  assert.equal((await reader.observations({ traceId: span.traceId })).size, 1);
  assert.equal((await reader.scores({ traceId: span.traceId })).size, 1);
}));

flushing("many batches, and one request a span", withServer(async (weir) => {
  // One by one the library has at most 30 requests under way and loses what comes beyond.
  for (const [processor, count] of [[{ flushAt: 50 }, 120], [{ exportMode: "immediate" }, 20]]) {
    const connection = connectAlone(weir, { processor });
    const root = startObservation("all");
    for (let n = 0; n < count; n++) root.startObservation(`span ${n}`, { input: "x".repeat(500) }).end();
    root.end();
    await connection.flush();
    assert.equal((await connection.observations({ traceId: root.traceId, limit: 50 })).size, count + 1);
  }
}));

const packed = feature("compressed batches");

for (const compression of ["none", "gzip"]) {
  packed(compression, withServer(async (weir) => {
    process.env.OTEL_EXPORTER_OTLP_COMPRESSION = compression;
    try {
      const connection = connectAlone(weir);
      const input = "größe ".repeat(1000);
      const span = startObservation("packed", { input });
      span.end();
      await connection.flush();
      assert.equal((await connection.observation(span.traceId)).input, input);
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_COMPRESSION;
    }
  }));
}

packed("to an address with a slash at its end", withServer(async (weir) => {
  const connection = connectAlone(weir, { keys: { baseUrl: `${weir.url}/` } });
  const span = startObservation("slashed");
  span.end();
  await connection.flush();
  assert.equal((await connectAlone(weir).observations({ traceId: span.traceId })).size, 1);
}));

const stock = feature("stock OTLP exporter");

async function sendPlain(exporter) {
  const provider = new node.NodeTracerProvider({ spanProcessors: [new tracing.SimpleSpanProcessor(exporter)] });
  const name = unique("stock");
  provider.getTracer("shop", "1.2.3").startSpan(name, {
    attributes: {
      "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-4o", "gen_ai.usage.input_tokens": 1000, "gen_ai.usage.output_tokens": 200,
      "langfuse.observation.metadata.tenant": "acme", "langfuse.observation.metadata.n": 7, "user.id": "user-7", "session.id": "session-7",
    },
  }).end();
  await provider.forceFlush();
  await provider.shutdown();
  return name;
}

for (const [title, compression] of [["to the API, with keys", CompressionAlgorithm.NONE], ["to the API, packed", CompressionAlgorithm.GZIP], ["to the port without keys", CompressionAlgorithm.NONE]]) {
  stock(title, withServer(async (weir) => {
    const authorization = `Basic ${Buffer.from(`${weir.publicKey}:${weir.secretKey}`).toString("base64")}`;
    const exporter = title.includes("without")
      ? new OTLPTraceExporter({ url: `${weir.otlpUrl}/v1/traces`, compression })
      : new OTLPTraceExporter({ url: `${weir.url}/api/public/otel/v1/traces`, headers: { authorization }, compression });
    const name = await sendPlain(exporter);
    const row = (await connectAlone(weir).observations({})).get(name);
    assert.deepEqual([row.type, row.model, row.userId, row.sessionId], ["GENERATION", "gpt-4o", "user-7", "session-7"]);
    assert.deepEqual([row.metadata.tenant, row.metadata.n, row.usageDetails.total], ["acme", 7, 1200]);
    assert.ok(Math.abs(row.totalCost - 0.0045) < 1e-12);
  }));
}
