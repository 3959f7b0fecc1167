// Scores of every type on everything that can be scored.

import assert from "node:assert/strict";

import { startActiveObservation, startObservation } from "@langfuse/tracing";

import { feature, shared, unique } from "./support.js";

const on = shared();

const everyType = {
  NUMERIC: [0.75, 0.75],
  BOOLEAN: [1, true],
  CATEGORICAL: ["good", "good"],
  TEXT: ["reads well", "reads well"],
};

const queue = feature("scores through the queue");

queue("every type on a trace", async () => {
  const { client } = on.connection;
  const traceId = unique("any text is a trace");
  for (const [dataType, [value]] of Object.entries(everyType)) {
    client.score.create({ name: dataType, value, dataType, traceId, comment: "größe", metadata: { by: ["me", 1] }, environment: "staging" });
  }
  client.score.create({ name: "output", value: "what it should say", dataType: "CORRECTION", traceId });
  await on.connection.flush();
  const scores = await on.connection.scores({ traceId });
  assert.equal(scores.size, 5);
  for (const [dataType, [, reading]] of Object.entries(everyType)) {
    const score = scores.get(dataType);
    assert.deepEqual([score.dataType, score.value, score.source, score.comment, score.environment], [dataType, reading, "API", "größe", "staging"]);
    assert.deepEqual([score.metadata, score.subject], [{ by: ["me", 1] }, { kind: "trace", id: traceId }]);
  }
  assert.equal(scores.get("output").value, "what it should say");
  assert.equal((await on.connection.scores({ traceId, dataType: "NUMERIC", valueMin: 0.75 })).size, 1);
  assert.equal((await on.connection.scores({ traceId, dataType: "numeric,text" })).size, 2);
});

queue("the type follows from the value", async () => {
  const traceId = unique("trace");
  on.connection.client.score.create({ name: "number", value: 3, traceId });
  on.connection.client.score.create({ name: "text", value: "fine", traceId });
  await on.connection.flush();
  const scores = await on.connection.scores({ traceId });
  assert.deepEqual([scores.get("number").dataType, scores.get("number").value], ["NUMERIC", 3]);
  assert.deepEqual([scores.get("text").dataType, scores.get("text").value], ["CATEGORICAL", "fine"]);
});

queue("everything that can be scored", async () => {
  const { client } = on.connection;
  const [sessionId, datasetRunId] = [unique("session"), unique("run")];
  const span = await startActiveObservation("scored", async (active) => {
    client.score.activeObservation({ name: "active observation", value: 3 });
    client.score.activeTrace({ name: "active trace", value: 4 });
    return active;
  });
  client.score.observation(span, { name: "observation", value: 1 });
  client.score.trace(span, { name: "trace", value: 2 });
  client.score.create({ name: "session", value: 5, sessionId });
  client.score.create({ name: "experiment", value: 6, datasetRunId });
  await on.connection.flush();
  const ofTrace = { kind: "trace", id: span.traceId };
  const ofObservation = { kind: "observation", id: span.id, traceId: span.traceId };
  const scores = await on.connection.scores({ traceId: span.traceId });
  assert.deepEqual(Object.fromEntries([...scores].map(([name, score]) => [name, score.subject])), {
    observation: ofObservation, "active observation": ofObservation, trace: ofTrace, "active trace": ofTrace,
  });
  const [session] = (await on.connection.scores({ sessionId })).values();
  assert.deepEqual([session.value, session.subject], [5, { kind: "session", id: sessionId }]);
  const [run] = (await on.connection.scores({ experimentId: datasetRunId })).values();
  assert.deepEqual([run.value, run.subject], [6, { kind: "experiment", id: datasetRunId }]);
});

/** Everything that can be scored: how a score names it, how it is found, and what it is called then. */
const subjects = [["traceId", "traceId", "trace"], ["sessionId", "sessionId", "session"], ["datasetRunId", "experimentId", "experiment"]];

async function checkEveryType(filter, subject) {
  const scores = await on.connection.scores(filter);
  assert.equal(scores.size, Object.keys(everyType).length);
  for (const [dataType, [, reading]] of Object.entries(everyType)) {
    const score = scores.get(dataType);
    assert.deepEqual([score.dataType, score.value, score.subject], [dataType, reading, subject]);
  }
}

for (const [given, filter, kind] of subjects) {
  queue(`every type, of ${kind}`, async () => {
    const id = unique(kind);
    for (const [dataType, [value]] of Object.entries(everyType)) on.connection.client.score.create({ name: dataType, value, dataType, [given]: id });
    await on.connection.flush();
    await checkEveryType({ [filter]: id }, { kind, id });
  });
}

queue("every type, of observation", async () => {
  const span = startObservation("scored");
  span.end();
  for (const [dataType, [value]] of Object.entries(everyType)) on.connection.client.score.observation(span, { name: dataType, value, dataType });
  await on.connection.flush();
  await checkEveryType({ traceId: span.traceId, observationId: span.id }, { kind: "observation", id: span.id, traceId: span.traceId });
});

queue("replaced by its id; a wrong one does not take others with it", async () => {
  const { client } = on.connection;
  const [traceId, id] = [unique("trace"), unique("score")];
  for (const value of [1, 2]) {
    client.score.create({ id, name: "again", value, traceId });
    await on.connection.flush();
  }
  client.score.create({ name: "wrong", value: -1, dataType: "BOOLEAN", traceId });
  client.score.create({ name: "right", value: 1, dataType: "BOOLEAN", traceId });
  await on.connection.flush();
  const scores = await on.connection.scores({ traceId });
  assert.deepEqual([...scores.keys()].sort(), ["again", "right"]);
  assert.deepEqual([scores.get("again").id, scores.get("again").value], [id, 2]);
});

const direct = feature("scores sent directly");

direct("every type on an observation", async () => {
  const span = startObservation("scored");
  span.end();
  await on.connection.flush();
  for (const [dataType, [value]] of Object.entries(everyType)) {
    const id = unique("score");
    const answer = await on.connection.api.scores.create({
      id, name: dataType, value, dataType, traceId: span.traceId, observationId: span.id, metadata: { a: { b: 1 } },
    });
    assert.equal(answer.id, id);
  }
  const scores = await on.connection.scores({ traceId: span.traceId, observationId: span.id });
  for (const [dataType, [, reading]] of Object.entries(everyType)) {
    assert.deepEqual([scores.get(dataType).value, scores.get(dataType).metadata], [reading, { a: { b: 1 } }]);
  }
});

for (const [given, filter, kind] of subjects) {
  direct(`every type, of ${kind}`, async () => {
    const id = unique(kind);
    for (const [dataType, [value]] of Object.entries(everyType)) await on.connection.api.scores.create({ name: dataType, value, dataType, [given]: id });
    await checkEveryType({ [filter]: id }, { kind, id });
  });
}

direct("deleted", async () => {
  const [traceId, id] = [unique("trace"), unique("score")];
  await on.connection.api.scores.create({ id, name: "doomed", value: 1, traceId });
  assert.equal((await on.connection.scores({ traceId })).size, 1);
  await on.connection.api.legacy.scoreV1.delete(id);
  assert.equal((await on.connection.scores({ traceId })).size, 0);
});

feature("score configs")("made, listed and obeyed", async () => {
  const { client, api } = on.connection;
  const name = unique("config");
  const config = await api.scoreConfigs.create({ name, dataType: "NUMERIC", minValue: 0, maxValue: 1 });
  assert.deepEqual(await api.scoreConfigs.getById(config.id), config);
  assert.ok((await api.scoreConfigs.get()).data.some((each) => each.id === config.id));
  const traceId = unique("trace");
  client.score.create({ name, value: 0.5, traceId, configId: config.id });
  client.score.create({ name, value: 2, traceId, configId: config.id });
  await on.connection.flush();
  const [score] = (await on.connection.scores({ traceId })).values();
  assert.deepEqual([score.value, score.configId], [0.5, config.id]);
});
