// Files in spans and in dataset items.

import assert from "node:assert/strict";

import { LangfuseMedia } from "@langfuse/core";
import { startObservation } from "@langfuse/tracing";

import { feature, shared, unique } from "./support.js";

const on = shared();

// The smallest picture, and something that makes it another one.
const pixel = () => Buffer.concat([
  Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
  Buffer.from(unique("pixel")),
]);
const uri = (content) => `data:image/png;base64,${content.toString("base64")}`;

feature("media in spans")("a data URI and an object", async () => {
  const { connection } = on;
  const [inline, object] = [pixel(), pixel()];
  const span = startObservation("seen", {
    input: { image: uri(inline), text: "what is it?" },
    output: { image: new LangfuseMedia({ source: "bytes", contentBytes: object, contentType: "image/png" }) },
  });
  span.end();
  await connection.flush();
  const row = await connection.observation(span.traceId);
  for (const [text, content] of [[row.input, inline], [row.output, object]]) {
    const given = JSON.parse(text);
    assert.match(given.image, /^@@@langfuseMedia:type=image\/png\|id=/);
    const resolved = await connection.client.media.resolveReferences({ obj: given, resolveWith: "base64DataUri" });
    assert.equal(resolved.image, uri(content));
  }
});

feature("media in dataset items")("in every field", async () => {
  const { connection } = on;
  const datasetName = unique("pictures");
  const content = pixel();
  const media = () => new LangfuseMedia({ source: "bytes", contentBytes: content, contentType: "image/png" });
  await connection.api.datasets.create({ name: datasetName });
  await connection.client.dataset.createItem({
    datasetName, input: { gallery: [media()], question: "what?" }, expectedOutput: { picture: media() }, metadata: { m: media() },
  });
  const { items: [item] } = await connection.client.dataset.get(datasetName);
  assert.deepEqual(item.mediaReferences.map((each) => each.field).sort(), ["expectedOutput", "input", "metadata"]);
  const reference = item.mediaReferences.find((each) => each.field === "input");
  assert.deepEqual([reference.jsonPath, reference.media.contentType, reference.media.contentLength], ["$['gallery'][0]", "image/png", content.length]);
  const answer = await fetch(reference.media.url);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
});
