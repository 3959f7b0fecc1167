// Datasets, and experiments on them and on local data.

import assert from "node:assert/strict";

import { startActiveObservation } from "@langfuse/tracing";

import { feature, shared, unique } from "./support.js";

const on = shared();

const capitals = { France: "Paris", Japan: "東京", Perú: "Lima" };

async function makeDataset() {
  // Names have all that must be escaped in an address.
  const name = unique("capitals / a+b? größe");
  await on.connection.api.datasets.create({ name, description: "of countries", metadata: { source: "atlas", n: 3 } });
  for (const [country, capital] of Object.entries(capitals)) {
    await on.connection.client.dataset.createItem({
      datasetName: name, input: { country }, expectedOutput: capital, metadata: { continent: { of: country } },
    });
  }
  return name;
}

const datasets = feature("datasets");

datasets("with its items", async () => {
  const name = await makeDataset();
  const dataset = await on.connection.client.dataset.get(name);
  assert.deepEqual([dataset.name, dataset.description, dataset.metadata], [name, "of countries", { source: "atlas", n: 3 }]);
  assert.deepEqual(dataset.items.map((item) => [item.input.country, item.expectedOutput]), Object.entries(capitals).reverse());
  assert.deepEqual(dataset.items[0].metadata, { continent: { of: "Perú" } });
  assert.equal((await on.connection.client.dataset.get(name, { fetchItemsPageSize: 1 })).items.length, 3);
  assert.ok((await on.connection.api.datasets.list({ limit: 100 })).data.some((each) => each.name === name));
});

datasets("items change, and are found as they were", async () => {
  const { client, api } = on.connection;
  const name = await makeDataset();
  const before = await client.dataset.get(name);
  const moment = new Date().toISOString();
  const [first, second, third] = before.items;
  await client.dataset.createItem({ datasetName: name, id: first.id, input: { country: "Bolivia" }, expectedOutput: "Sucre" });
  await client.dataset.createItem({ datasetName: name, id: second.id, status: "ARCHIVED" });
  await api.datasetItems.delete(third.id);
  const { items } = await client.dataset.get(name);
  assert.deepEqual(items.map((item) => [item.id, item.input]), [[first.id, { country: "Bolivia" }]]);
  assert.equal((await api.datasetItems.get(second.id)).status, "ARCHIVED");
  const asItWas = await client.dataset.get(name, { version: moment });
  assert.deepEqual(asItWas.items.map((item) => [item.id, item.input]), before.items.map((item) => [item.id, item.input]));
});

datasets("unknown", async () => {
  await assert.rejects(on.connection.client.dataset.get(unique("unknown")), (error) => error.statusCode === 404);
});

const right = async ({ output, expectedOutput }) => ({ name: "right", value: output === expectedOutput ? 1 : 0, comment: "compared" });
const passes = async ({ output }) => ({ name: "passes", value: output !== "Lyon", dataType: "BOOLEAN" });
const share = async ({ itemResults }) => {
  const values = itemResults.flatMap((item) => item.evaluations.filter((each) => each.name === "right").map((each) => each.value));
  return { name: "share", value: values.reduce((a, b) => a + b, 0) / values.length };
};

const experiments = feature("experiments");

experiments("on a dataset", async () => {
  const { connection } = on;
  const dataset = await connection.client.dataset.get(await makeDataset());
  const task = ({ input }) => startActiveObservation("answer", async () => (input.country === "France" ? "Lyon" : capitals[input.country]), { asType: "generation" });
  const runName = unique("run");
  const result = await dataset.runExperiment({
    name: "capitals", runName, description: "all of them", metadata: { model: "gpt-4o", temperature: 0 },
    task, evaluators: [right, passes], runEvaluators: [share],
  });
  await connection.flush();
  assert.equal(result.itemResults.length, 3);

  const experiment = await connection.experiment({ name: runName });
  assert.deepEqual([experiment.id, experiment.name, experiment.itemCount, experiment.datasetId, experiment.description],
    [result.experimentId, runName, 3, dataset.id, "all of them"]);
  assert.equal(experiment.metadata.model, "gpt-4o");
  assert.deepEqual(experiment.scores.map((score) => [score.name, score.value.toFixed(3)]), [["share", "0.667"]]);

  const items = new Map((await connection.experimentItems({ experimentName: runName })).map((item) => [item.experimentItemId, item]));
  assert.equal(items.size, 3);
  for (const given of dataset.items) {
    const { country } = given.input;
    const item = items.get(given.id);
    assert.deepEqual([item.experimentId, item.experimentDatasetId, item.environment], [experiment.id, dataset.id, "sdk-experiment"]);
    assert.deepEqual(JSON.parse(item.input), given.input);
    assert.deepEqual([item.expectedOutput, item.output], [capitals[country], country === "France" ? "Lyon" : capitals[country]]);
    assert.equal(item.experimentItemMetadata["continent.of"], country);
    assert.deepEqual(Object.fromEntries(item.scores.map((score) => [score.name, score.value])),
      { right: country === "France" ? 0 : 1, passes: country !== "France" });
    const rows = await connection.observations({ traceId: item.traceId });
    assert.equal(rows.get("answer").type, "GENERATION");
    assert.ok([...rows.values()].some((row) => row.id === item.id));
  }
});

experiments("on local data", async () => {
  const { connection } = on;
  const runName = unique("local");
  const result = await connection.client.experiment.run({
    name: "local", runName, data: [{ input: "x", expectedOutput: "X" }, { input: "y", expectedOutput: "Z" }],
    task: async ({ input }) => input.toUpperCase(), evaluators: [right], runEvaluators: [share],
  });
  await connection.flush();
  const experiment = await connection.experiment({ name: runName });
  assert.deepEqual([experiment.id, experiment.itemCount], [result.experimentId, 2]);
  const items = await connection.experimentItems({ experimentId: experiment.id });
  assert.deepEqual(Object.fromEntries(items.map((item) => [item.output, item.scores[0].value])), { X: 1, Y: 0 });
  assert.equal(items.find((item) => item.output === "X").experimentItemId, "2d711642b726b044");
});

feature("dataset runs")("listed, read and deleted", async () => {
  const { client, api } = on.connection;
  const name = await makeDataset();
  const dataset = await client.dataset.get(name);
  for (const runName of ["first", "second"]) {
    await dataset.runExperiment({ name: runName, runName, description: `the ${runName}`, task: async () => "out", metadata: { n: runName } });
  }
  await on.connection.flush();
  const runs = await api.datasets.getRuns(name);
  assert.deepEqual(runs.data.map((run) => run.name), ["second", "first"]);
  const run = await api.datasets.getRun(name, "first");
  assert.deepEqual([run.description, run.metadata, run.datasetRunItems.length], ["the first", { n: "first" }, 3]);
  await api.datasets.deleteRun(name, "first");
  assert.deepEqual((await api.datasets.getRuns(name)).data.map((each) => each.name), ["second"]);
});
