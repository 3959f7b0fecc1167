// A trace through two services: what the first says of it goes with the request, and the second has it on its spans.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";

import { propagateAttributes, startActiveObservation } from "@langfuse/tracing";
import { context, propagation, ROOT_CONTEXT } from "@opentelemetry/api";

import { feature, shared, unique } from "./support.js";

const on = shared();

/** The second service, which reads the headers as every HTTP instrumentation does. */
async function secondService() {
  const server = createServer((request, answer) => {
    context.with(propagation.extract(ROOT_CONTEXT, request.headers), () => startActiveObservation("called", async () => {})).then(() => answer.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

feature("propagation to another service, as baggage")("of all that can be propagated", async () => {
  const { connection } = on;
  const server = await secondService();
  const given = {
    userId: unique("user"), sessionId: unique("session"), tags: ["b", "a"], version: "v3", traceName: "order", environment: "shop",
    metadata: { tenant: "acme", ort: "größe" },
  };
  let traceId, calling;
  try {
    await startActiveObservation("caller", async (span) => {
      ({ traceId, id: calling } = span);
      await propagateAttributes({ ...given, asBaggage: true }, async () => {
        const headers = {};
        propagation.inject(context.active(), headers);
        assert.match(headers.baggage, /langfuse_user_id=/);
        await fetch(`http://127.0.0.1:${server.address().port}`, { headers });
      });
      await propagateAttributes(given, async () => {
        const headers = {};
        propagation.inject(context.active(), headers);
        assert.doesNotMatch(headers.baggage ?? "", /langfuse_user_id=/, "only when asked for");
      });
    });
  } finally {
    server.close();
  }
  await connection.flush();
  const called = (await connection.observations({ traceId })).get("called");
  assert.equal(called.parentObservationId, calling);
  assert.equal(called.isRootObservation, false);
  assert.deepEqual([called.userId, called.sessionId, [...called.tags].sort(), called.version, called.traceName, called.environment],
    [given.userId, given.sessionId, ["a", "b"], "v3", "order", "shop"]);
  assert.deepEqual([called.metadata.tenant, called.metadata.ort], ["acme", "größe"]);
});
