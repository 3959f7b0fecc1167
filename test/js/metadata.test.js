// Metadata of every kind, through both tables of the specification, and filters on it.

import assert from "node:assert/strict";

import { propagateAttributes, startActiveObservation, startObservation } from "@langfuse/tracing";

import { different, filters, given, nestedRead, same } from "./metadata.js";
import { condition, feature, shared } from "./support.js";

const on = shared();
const kinds = feature("metadata of every kind");

async function everything() {
  if (!on.everything) {
    on.everything = startObservation("metadata", { metadata: given({ ...same, ...different }) });
    on.everything.end();
    await on.connection.flush();
  }
  return on.everything.traceId;
}

kinds("read back", async () => {
  const expected = { ...nestedRead };
  for (const [key, [, reading]] of Object.entries({ ...same, ...different })) if (reading !== undefined) expected[key] = reading;
  assert.deepEqual(await on.connection.metadata(await everything()), expected);
});

kinds("that has no keys", async () => {
  for (const [metadata, reading] of [["scalar text", {}], [["a", 1], { 0: "a", 1: 1 }]]) {
    const span = startObservation("whole", { metadata });
    span.end();
    await on.connection.flush();
    assert.deepEqual(await on.connection.metadata(span.traceId), reading);
  }
});

kinds("propagated", async () => {
  let traceId;
  // The library drops what is no text, and what is longer than 200 characters.
  const metadata = { text: "acme", uni: "größe 日本", number: 7, long: "x".repeat(201), longest: "y".repeat(200) };
  await propagateAttributes({ metadata }, () => startActiveObservation("root", async (root) => {
    traceId = root.traceId;
    await startActiveObservation("child", async (child) => child.update({ metadata: { own: 1 } }));
  }));
  await on.connection.flush();
  const rows = await on.connection.observations({ traceId, expandMetadata: "longest" });
  for (const row of rows.values()) assert.deepEqual([row.metadata.text, row.metadata.uni], ["acme", "größe 日本"]);
  assert.equal(rows.get("child").metadata.own, 1);
  assert.ok(!("number" in rows.get("root").metadata) && !("long" in rows.get("root").metadata));
});

kinds("long values are shortened unless asked for", async () => {
  const long = "ä".repeat(500);
  const span = startObservation("long", { metadata: { long, other: long } });
  span.end();
  await on.connection.flush();
  const row = (await on.connection.observations({ traceId: span.traceId, expandMetadata: "long" })).get("long");
  assert.equal(row.metadata.long, long);
  assert.ok(row.metadata.other.startsWith("ä".repeat(200)) && row.metadata.other.length < 210);
});

feature("filters on metadata")("find the row, or do not", async () => {
  const ofTrace = condition("string", "traceId", "=", await everything());
  for (const [filter, found] of filters) {
    assert.equal((await on.connection.observations({}, filter, ofTrace)).size, found ? 1 : 0, JSON.stringify(filter));
  }
});
