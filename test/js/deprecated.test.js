// Reads that the service calls deprecated and that the library still has.

import assert from "node:assert/strict";

import { propagateAttributes, startActiveObservation, setActiveTraceAsPublic } from "@langfuse/tracing";

import { feature, shared, unique } from "./support.js";

const deprecated = feature("deprecated reads");

const trace = { user: unique("user"), session: unique("session") };

const on = shared(async (connection) => {
  const { client } = connection;
  const given = { userId: trace.user, sessionId: trace.session, tags: ["b", "a"], traceName: "told", metadata: { tenant: "acme" } };
  await propagateAttributes(given, () => startActiveObservation("root", async (root) => {
    root.update({ input: { q: [1, 2] }, output: "fine", metadata: { n: 7 } });
    setActiveTraceAsPublic();
    Object.assign(trace, { id: root.traceId, root: root.id });
    const attributes = { model: "gpt-4o", usageDetails: { input: 10, output: 20 }, costDetails: { total: 0.5 } };
    root.startObservation("call", attributes, { asType: "generation" }).end();
    client.score.observation(root, { name: "numeric", value: 1 });
    client.score.trace(root, { name: "category", value: "good" });
    client.score.trace(root, { name: "output", value: "better", dataType: "CORRECTION" });
  }));
  await connection.flush();
});

deprecated("a trace", async () => {
  const got = await on.connection.api.trace.get(trace.id);
  assert.deepEqual([got.name, got.userId, got.sessionId, got.tags, got.public, got.release], ["told", trace.user, trace.session, ["a", "b"], true, "release-9"]);
  assert.deepEqual([got.input, got.output, got.metadata.tenant, got.metadata.n], [{ q: [1, 2] }, "fine", "acme", 7]);
  assert.deepEqual(got.observations.map((each) => each.name).sort(), ["call", "root"]);
  assert.deepEqual(got.scores.map((each) => each.name).sort(), ["category", "numeric"]);
  assert.equal(got.externalId, null);
});

deprecated("traces", async () => {
  const page = await on.connection.api.trace.list({ userId: trace.user });
  assert.deepEqual([page.meta.totalItems, page.data[0].id, page.data[0].observations.length], [1, trace.id, 2]);
  assert.equal((await on.connection.api.trace.list({ userId: trace.user, tags: "c" })).meta.totalItems, 0);
});

deprecated("observations, sessions, scores", async () => {
  const { api } = on.connection;
  const [call] = (await api.legacy.observationsV1.getMany({ traceId: trace.id, type: "GENERATION" })).data;
  assert.deepEqual([call.name, call.model, call.usage.total, call.calculatedTotalCost], ["call", "gpt-4o", 30, 0.5]);
  assert.equal((await api.legacy.observationsV1.get(call.id)).parentObservationId, trace.root);
  assert.deepEqual((await api.sessions.get(trace.session)).traces.map((each) => each.id), [trace.id]);
  const scores = await api.scores.getMany({ traceId: trace.id });
  const category = scores.data.find((each) => each.name === "category");
  assert.equal(category.stringValue, "good");
  assert.equal((await api.scores.getById(category.id)).name, "category");
});

deprecated("what is unknown", async () => {
  await assert.rejects(on.connection.api.trace.get(unique("unknown")), (error) => error.statusCode === 404);
});
