// Aggregates of what was just written.

import assert from "node:assert/strict";

import { startObservation } from "@langfuse/tracing";

import { anHourAgo, condition, feature, shared, unique } from "./support.js";

const on = shared();

async function query(members) {
  const toTimestamp = new Date(Date.now() + 3_600_000).toISOString();
  const all = { fromTimestamp: anHourAgo(), toTimestamp, dimensions: [], filters: [], ...members };
  return (await on.connection.api.metrics.metrics({ query: JSON.stringify(all) })).data;
}

feature("metrics")("of observations and scores", async () => {
  const name = unique("measured");
  for (const [model, tokens] of [["gpt-4o", 10], ["gpt-4o", 20], ["gpt-4o-mini", 5]]) {
    startObservation(name, { model, usageDetails: { input: tokens, output: tokens }, costDetails: { total: tokens / 10 } }, { asType: "generation" }).end();
  }
  for (const value of [1, 2, 6]) on.connection.client.score.create({ name, value, traceId: unique("trace") });
  await on.connection.flush();
  const filters = [condition("string", "name", "=", name)];
  const rows = await query({
    view: "observations", filters, dimensions: [{ field: "providedModelName" }],
    metrics: [{ measure: "count", aggregation: "count" }, { measure: "totalCost", aggregation: "sum" }],
  });
  assert.deepEqual(Object.fromEntries(rows.map((row) => [row.providedModelName, [Number(row.count_count), Number(row.sum_totalCost)]])),
    { "gpt-4o": [2, 3], "gpt-4o-mini": [1, 0.5] });
  const [scores] = await query({ view: "scores-numeric", filters, metrics: [{ measure: "value", aggregation: "avg" }] });
  assert.equal(Number(scores.avg_value), 3);
});
