// Shows what failed, and appends what became of each test to the file that CONFORMANCE_RESULTS names, a JSON object a line.
// Tests are named "feature :: what they check".

import { appendFileSync, readFileSync } from "node:fs";
import { inspect } from "node:util";

const version = JSON.parse(readFileSync(new URL("package.json", import.meta.url))).dependencies["@langfuse/client"];

export default async function* report(source) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const outcome = data.skip !== undefined ? "skipped" : type === "test:pass" ? "passed" : "failed";
    counts[outcome]++;
    if (outcome === "failed") yield `FAILED ${data.name}\n${inspect(data.details.error.cause ?? data.details.error)}\n`;
    if (outcome === "skipped") yield `SKIPPED ${data.name}: ${data.skip}\n`;
    // A file that does not even load is a test without a feature.
    const [feature, title] = data.name.split(" :: ");
    if (process.env.CONFORMANCE_RESULTS) {
      const line = { client: `JS ${version}`, feature: title ? feature : "", test: data.name, outcome };
      appendFileSync(process.env.CONFORMANCE_RESULTS, JSON.stringify(line) + "\n");
    }
  }
  yield `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`;
}
