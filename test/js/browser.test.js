// Scores from a web page, which has only the public key: the client for browsers, in a real one where there is one, and in Node.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { LangfuseWeb } from "langfuse";

import { feature, shared, unique } from "./support.js";

const on = shared();
const browser = feature("scores from a browser");

const modules = { langfuse: "langfuse/lib/index.mjs", "langfuse-core": "langfuse-core/lib/index.mjs", mustache: "mustache/mustache.mjs" };

/** What a page does: one score through the library, one call that the public key is not enough for. */
const page = (weir, score) => `<!doctype html>
<script type="importmap">${JSON.stringify({ imports: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, `/${file}`])) })}</script>
<script type="module">
  import { LangfuseWeb } from "langfuse";
  const outcome = {};
  try {
    const client = new LangfuseWeb(${JSON.stringify({ publicKey: weir.publicKey, baseUrl: weir.url })});
    await client.score(${JSON.stringify(score)});
    const headers = { Authorization: "Bearer ${weir.publicKey}" };
    const read = await fetch("${weir.url}/api/public/v3/scores", { headers });
    Object.assign(outcome, { origin: location.origin, read: read.status, text: await read.text() });
  } catch (error) {
    outcome.error = String(error);
  }
  await fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) });
</script>`;

/** Serves the page from an origin of its own, and waits for what it tells. */
async function serve(html) {
  let tell;
  const outcome = new Promise((done) => (tell = done));
  const server = createServer(async (request, answer) => {
    const path = request.url.slice(1);
    if (request.method === "POST") {
      let body = "";
      for await (const chunk of request) body += chunk;
      answer.end();
      tell(JSON.parse(body));
    } else if (Object.values(modules).includes(path)) {
      answer.setHeader("Content-Type", "text/javascript").end(readFileSync(fileURLToPath(new URL(`node_modules/${path}`, import.meta.url))));
    } else {
      answer.setHeader("Content-Type", "text/html; charset=utf-8").end(html);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, outcome, url: `http://localhost:${server.address().port}/` };
}

/** A browser of this machine. */
function findChromium() {
  for (const name of [process.env.WEIR_CHROMIUM, "chromium", "chromium-browser", "google-chrome"].filter(Boolean)) {
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return name;
    } catch {
      // the next one
    }
  }
}

async function checkScore(score) {
  const [got] = (await on.connection.scores({ traceId: score.traceId })).values();
  assert.deepEqual([got.id, got.name, got.value, got.comment], [score.id, score.name, score.value, score.comment]);
}

const feedback = () => ({ id: unique("score"), traceId: unique("trace"), name: "user-feedback", value: 1, comment: "größe" });

const chromium = findChromium();

browser("in Chromium", { skip: chromium ? false : "there is no Chromium on this machine" }, async () => {
  const { weir } = on;
  const score = feedback();
  const { server, outcome, url } = await serve(page(weir, score));
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const running = spawn(chromium, ["--headless", "--no-sandbox", ...quiet, `--user-data-dir=${profile}`, url], { stdio: "ignore", detached: true });
  try {
    const told = await outcome;
    assert.equal(told.error, undefined);
    assert.equal(told.origin, new URL(url).origin);
    assert.notEqual(told.origin, weir.url);
    assert.equal(told.read, 403, told.text);
    await checkScore(score);
  } finally {
    // All processes of it, some of which go on writing into the profile for a moment.
    process.kill(-running.pid, "SIGKILL");
    await once(running, "exit");
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});

browser("in Node", async () => {
  const score = feedback();
  const client = new LangfuseWeb({ publicKey: on.weir.publicKey, baseUrl: on.weir.url });
  await client.score(score);
  await checkScore(score);
});

browser("an unknown public key", async () => {
  const score = feedback();
  const answer = await fetch(`${on.weir.url}/api/public/ingestion`, {
    method: "POST", headers: { Authorization: "Bearer pk-lf-unknown", "Content-Type": "application/json" },
    body: JSON.stringify({ batch: [{ id: "1", type: "score-create", timestamp: new Date().toISOString(), body: score }] }),
  });
  assert.equal(answer.status, 401);
  assert.equal((await on.connection.scores({ traceId: score.traceId })).size, 0);
});
