// The first trace of the README, as a newcomer runs it: with keys and address in the environment.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { feature, shared } from "./support.js";

const on = shared();

feature("first trace of the README")("runs, and arrives", async () => {
  const { weir, connection } = on;
  const env = { ...process.env, LANGFUSE_BASE_URL: weir.url, LANGFUSE_PUBLIC_KEY: weir.publicKey, LANGFUSE_SECRET_KEY: weir.secretKey };
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL("first-trace.js", import.meta.url))], { env });
  const row = (await connection.observations({})).get("answer");
  assert.deepEqual([row.input, row.output], ["What is six by seven?", "42"]);
});
