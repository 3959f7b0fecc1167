// What an application masks leaves it masked: the server has never seen the rest.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { startObservation } from "@langfuse/tracing";

import { connectAlone, feature } from "./support.js";
import { startWeir } from "./weir.js";

const masking = feature("masking");

let weir;
before(async () => (weir = await startWeir()));
after(() => weir.remove());

async function send(mask, attributes) {
  const connection = connectAlone(weir, { processor: { mask } });
  const span = startObservation("masked", attributes);
  span.end();
  await connection.flush();
  return connection.observation(span.traceId);
}

masking("input, output and metadata", async () => {
  const mask = async ({ data }) => data.replaceAll(/\d{4}( \d{4}){3}/g, "<card>");
  const row = await send(mask, {
    input: { text: "pay with 4111 1111 1111 1111", größe: 1 }, output: "4111 1111 1111 1111 it is", metadata: ["4111 1111 1111 1111"],
  });
  assert.deepEqual([JSON.parse(row.input), row.output, row.metadata[0]], [{ text: "pay with <card>", größe: 1 }, "<card> it is", "<card>"]);
});

masking("a callback that fails masks everything", async () => {
  const row = await send(() => { throw new Error("kaput"); }, { input: "secret", output: { also: "secret" } });
  for (const text of [row.input, row.output]) assert.equal(text, "<fully masked due to failed mask function>");
});
