// Prompts: versions, labels, the cache of the client, and the link from a generation.

import assert from "node:assert/strict";

import { startObservation } from "@langfuse/tracing";

import { feature, shared, unique } from "./support.js";

const on = shared();
const prompts = feature("prompts");

prompts("text, in versions", async () => {
  const { prompt } = on.connection.client;
  const name = unique("folder/größe a+b");
  await prompt.create({ name, prompt: "Hello {{name}}", labels: ["production"], tags: ["one"], config: { temperature: 0.5 } });
  await prompt.create({ name, prompt: "Bye {{name}}", labels: ["staging"], commitMessage: "shorter" });
  const got = await prompt.get(name);
  assert.deepEqual([got.name, got.version, got.labels, got.tags, got.config], [name, 1, ["production"], ["one"], { temperature: 0.5 }]);
  assert.equal(got.compile({ name: "Ümit" }), "Hello Ümit");
  const staging = await prompt.get(name, { label: "staging" });
  assert.deepEqual([staging.version, staging.labels, staging.commitMessage], [2, ["staging", "latest"], "shorter"]);
  assert.equal((await prompt.get(name, { version: 1 })).prompt, "Hello {{name}}");
  const [listed] = (await on.connection.api.prompts.list({ name })).data;
  assert.deepEqual([[...listed.versions].sort(), [...listed.labels].sort()], [[1, 2], ["latest", "production", "staging"]]);
});

prompts("chat, with a placeholder", async () => {
  const { prompt } = on.connection.client;
  const name = unique("chat");
  await prompt.create({
    name, type: "chat", labels: ["production"],
    prompt: [{ role: "system", content: "You speak {{language}}" }, { type: "placeholder", name: "history" }, { role: "user", content: "{{question}}" }],
  });
  const got = await prompt.get(name, { type: "chat" });
  const compiled = got.compile({ language: "Deutsch", question: "Wie?" }, { history: [{ role: "user", content: "Hallo" }] });
  assert.deepEqual(compiled.map(({ role, content }) => [role, content]), [["system", "You speak Deutsch"], ["user", "Hallo"], ["user", "Wie?"]]);
});

prompts("labels move", async () => {
  const { prompt } = on.connection.client;
  const name = unique("labels");
  for (const text of ["one", "two"]) await prompt.create({ name, prompt: text, labels: ["production"] });
  await prompt.update({ name, version: 1, newLabels: ["production", "pinned"] });
  assert.deepEqual([...(await prompt.get(name, { cacheTtlSeconds: 0 })).labels].sort(), ["pinned", "production"]);
  assert.deepEqual((await prompt.get(name, { version: 2, cacheTtlSeconds: 0 })).labels, ["latest"]);
});

prompts("from the cache, and past it", async () => {
  const { prompt } = on.connection.client;
  const name = unique("cached");
  await prompt.create({ name, prompt: "first", labels: ["production"] });
  assert.equal((await prompt.get(name)).prompt, "first");
  await on.connection.api.prompts.create({ type: "text", name, prompt: "second", labels: ["production"] });
  assert.equal((await prompt.get(name)).prompt, "first");
  assert.equal((await prompt.get(name, { cacheTtlSeconds: 0 })).prompt, "second");
});

prompts("absent and deleted", async () => {
  const { prompt } = on.connection.client;
  const name = unique("absent");
  const fallback = await prompt.get(name, { fallback: "in place of it" });
  assert.deepEqual([fallback.isFallback, fallback.compile()], [true, "in place of it"]);
  await prompt.create({ name, prompt: "there", labels: ["production"] });
  await prompt.delete(name);
  await assert.rejects(prompt.get(name, { cacheTtlSeconds: 0 }));
});

feature("generation linked to its prompt")("by name and version", async () => {
  const { prompt } = on.connection.client;
  const name = unique("linked");
  for (const text of ["a", "b"]) await prompt.create({ name, prompt: text, labels: ["production"] });
  const generation = startObservation("linked", { prompt: await prompt.get(name), model: "gpt-4o" }, { asType: "generation" });
  generation.end();
  await on.connection.flush();
  const row = await on.connection.observation(generation.traceId);
  assert.deepEqual([row.promptName, row.promptVersion], [name, 2]);
  assert.ok(row.promptId);
});
