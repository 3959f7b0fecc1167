// The module for other test suites: with vitest, as the README shows it, and where it is copied to without a binary.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { feature } from "./support.js";
import { startWeir } from "./weir.js";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const fixture = feature("in a test suite of one's own");

fixture("the example of the README, with vitest", async () => {
  // NODE_TEST_CONTEXT would make the child speak the protocol of node:test.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [here("node_modules/vitest/vitest.mjs"), "run", "example.spec.js"], { cwd: here("."), env });
  assert.match(stdout, /1 passed/);
});

fixture("starts in less than a second", async () => {
  const took = [];
  for (let n = 0; n < 3; n++) {
    const start = performance.now();
    const weir = await startWeir();
    took.push(performance.now() - start);
    await weir.remove();
  }
  // The shortest: a machine may have other things to do.
  assert.ok(Math.min(...took) < 1000, `${took} ms`);
});

fixture("says what it lacks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "copied-"));
  try {
    const copy = join(folder, "weir.mjs");
    copyFileSync(here("weir.js"), copy);
    const { WEIR_BINARY: _, ...env } = process.env;
    const script = `import(${JSON.stringify(pathToFileURL(copy).href)}).then(({ startWeir }) => startWeir()).catch((error) => console.log(error.message))`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], { env });
    assert.match(stdout, /^there is no .*weir: set WEIR_BINARY, or run `make build`/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
