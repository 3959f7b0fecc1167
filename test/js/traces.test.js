// Spans of the client library, read back as observations.

import assert from "node:assert/strict";

import { observe, propagateAttributes, startActiveObservation, startObservation, setActiveTraceAsPublic } from "@langfuse/tracing";

import { condition, feature, shared, unique } from "./support.js";

const on = shared();

const types = ["span", "generation", "embedding", "agent", "tool", "chain", "retriever", "evaluator", "guardrail", "event"];

const nested = feature("every type of observation, nested");

nested("a trace of all types", async () => {
  const { connection } = on;
  const made = [];
  for (const type of types) {
    const attributes = { input: `into ${type}`, output: `out of ${type}` };
    const parent = made.at(-1);
    made.push(parent ? parent.startObservation(`a ${type}`, attributes, { asType: type }) : startObservation(`a ${type}`, attributes));
  }
  for (const each of made.reverse()) if (each.type !== "event") each.end();
  await connection.flush();

  const { traceId } = made[0];
  const rows = await connection.observations({ traceId });
  assert.deepEqual([...rows.values()].map((row) => row.type).sort(), types.map((type) => type.toUpperCase()).sort());
  let parent = null;
  for (const type of types) {
    const row = rows.get(`a ${type}`);
    assert.equal(row.type, type.toUpperCase());
    assert.equal(row.parentObservationId, parent);
    assert.equal(row.isRootObservation, parent === null);
    assert.deepEqual([row.input, row.output], [`into ${type}`, `out of ${type}`]);
    parent = row.id;
  }
  assert.deepEqual([...(await connection.observations({ traceId, type: "TOOL" })).keys()], ["a tool"]);
  assert.deepEqual([...(await connection.observations({ traceId, isRootObservation: true })).keys()], ["a span"]);
  assert.deepEqual([...(await connection.observations({ traceId, parentObservationId: "" })).keys()], ["a span"]);
  assert.equal((await connection.observations({ traceId, limit: 3 })).size, 10);
});

nested("a wrapped function", async () => {
  const { connection } = on;
  const name = unique("wrapped");
  const answer = await observe(async (question) => ({ answer: question.toUpperCase() }), { name, asType: "agent" })("wie geht's?");
  assert.deepEqual(answer, { answer: "WIE GEHT'S?" });
  await connection.flush();
  const row = (await connection.observations({ name })).get(name);
  assert.deepEqual([row.type, row.output], ["AGENT", '{"answer":"WIE GEHT\'S?"}']);
});

feature("user, session, tags, version, release, environment")("propagated", async () => {
  const { connection } = on;
  const [userId, sessionId] = [unique("user-ünï"), unique("session")];
  const given = { userId, sessionId, tags: ["b", "a", "日本"], version: "v1.2", traceName: "checkout flow", metadata: { tenant: "acme", ort: "größe" } };
  let traceId;
  await propagateAttributes(given, () => startActiveObservation("root", async (root) => {
    traceId = root.traceId;
    setActiveTraceAsPublic();
    await startActiveObservation("child", async () => {});
  }));
  await connection.flush();

  const rows = await connection.observations({ userId });
  assert.deepEqual([...rows.keys()].sort(), ["child", "root"]);
  for (const row of rows.values()) {
    assert.deepEqual([row.userId, row.sessionId, row.version, row.release, row.environment, row.traceName],
      [userId, sessionId, "v1.2", "release-9", "conformance", "checkout flow"]);
    assert.deepEqual([...row.tags].sort(), ["a", "b", "日本"]);
    assert.deepEqual([row.metadata.tenant, row.metadata.ort], ["acme", "größe"]);
  }
  assert.equal(rows.get("root").public, true);
  for (const parameters of [{ sessionId }, { userId, version: "v1.2" }, { userId, environment: ["conformance", "other"] }]) {
    assert.equal((await connection.observations(parameters)).size, 2);
  }
  assert.equal((await connection.observations({ userId, environment: "other" })).size, 0);
  const ofUser = condition("string", "userId", "=", userId);
  assert.equal((await connection.observations({}, condition("arrayOptions", "tags", "all of", ["a", "日本"]), ofUser)).size, 2);
  assert.equal((await connection.observations({}, condition("arrayOptions", "tags", "none of", ["a"]), ofUser)).size, 0);
  assert.ok((await connection.client.getTraceUrl(traceId)).endsWith(`/project/default/traces/${traceId}`));
});

const generations = feature("generation: model, usage, cost");

generations("as it was given", async () => {
  const { connection } = on;
  const start = new Date();
  const generation = startObservation("call", {
    model: "gpt-4o", modelParameters: { temperature: 0.7, max_tokens: 100, stop: "x" }, input: [{ role: "user", content: "hi" }], output: "hello",
    usageDetails: { input: 10, output: 20, total: 30, cache_read: 5 }, costDetails: { input: 0.001, output: 0.002, total: 0.003 },
    completionStartTime: start, version: "gen-v",
  }, { asType: "generation" });
  generation.end();
  await connection.flush();
  const row = await connection.observation(generation.traceId);
  assert.deepEqual([row.type, row.model, row.version, row.totalCost], ["GENERATION", "gpt-4o", "gen-v", 0.003]);
  assert.deepEqual(row.modelParameters, { temperature: 0.7, max_tokens: 100, stop: "x" });
  assert.deepEqual(row.usageDetails, { input: 10, output: 20, total: 30, cache_read: 5 });
  assert.deepEqual(row.costDetails, { input: 0.001, output: 0.002, total: 0.003 });
  assert.equal(Date.parse(row.completionStartTime), start.getTime());
  const ofTrace = condition("string", "traceId", "=", generation.traceId);
  assert.equal((await connection.observations({}, condition("number", "totalTokens", ">=", 30), ofTrace)).size, 1);
});

generations("priced by the server", async () => {
  const { connection } = on;
  const generation = startObservation("priced", {
    model: "gpt-4o", usageDetails: { promptTokens: 1000, completionTokens: 200, totalTokens: 1200 },
  }, { asType: "generation" });
  generation.update({ usageDetails: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 } }).end();
  await connection.flush();
  const row = await connection.observation(generation.traceId);
  assert.deepEqual(row.usageDetails, { input: 1000, output: 200, total: 1200 });
  assert.ok(Math.abs(row.totalCost - 0.0045) < 1e-12);
  assert.equal(row.inputPrice, "0.0000025");
});

feature("levels and errors")("an exception and a warning", async () => {
  const { connection } = on;
  let traceId;
  await assert.rejects(startActiveObservation("failing", async (span) => {
    traceId = span.traceId;
    throw new Error("kaput");
  }), /kaput/);
  const warned = startObservation("warned", { level: "WARNING", statusMessage: "careful" });
  warned.end();
  await connection.flush();
  const failed = await connection.observation(traceId);
  assert.equal(failed.level, "ERROR");
  assert.match(failed.statusMessage, /kaput/);
  const row = await connection.observation(warned.traceId);
  assert.deepEqual([row.level, row.statusMessage], ["WARNING", "careful"]);
  assert.equal((await connection.observations({ traceId: warned.traceId, level: "ERROR" })).size, 0);
});

feature("events")("an event in a span", async () => {
  const { connection } = on;
  const around = startObservation("around");
  around.startObservation("clicked", { input: { x: 1 }, metadata: { button: "ok" }, level: "DEBUG" }, { asType: "event" });
  around.end();
  await connection.flush();
  const row = (await connection.observations({ traceId: around.traceId })).get("clicked");
  assert.deepEqual([row.type, row.input, row.level, row.metadata.button, row.parentObservationId],
    ["EVENT", '{"x":1}', "DEBUG", "ok", around.id]);
});

feature("trace deletion")("one, and several", async () => {
  const { connection } = on;
  const traces = [];
  for (let n = 0; n < 3; n++) {
    const span = startObservation(unique("doomed"));
    span.end();
    connection.client.score.observation(span, { name: "doomed", value: 1 });
    traces.push(span.traceId);
  }
  await connection.flush();
  await connection.api.trace.delete(traces[0]);
  await connection.api.trace.deleteMultiple({ traceIds: [traces[1]] });
  for (const traceId of traces.slice(0, 2)) {
    assert.equal((await connection.observations({ traceId })).size, 0);
    assert.equal((await connection.scores({ traceId })).size, 0);
  }
  assert.equal((await connection.observations({ traceId: traces[2] })).size, 1);
  assert.equal((await connection.scores({ traceId: traces[2] })).size, 1);
});
