// Metadata as every generation of clients writes it, through every pipeline: the same rows for the same filters.
//
// The next generation JSON-encodes every value. A span processor does it in place of the library of today.

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { propagateAttributes, startActiveObservation } from "@langfuse/tracing";

import { filters, given, nestedRead, same } from "./metadata.js";
import { condition, connectAlone, feature } from "./support.js";
import { startWeir } from "./weir.js";

const prefix = /^langfuse\.(observation|trace)\.metadata\./;

/** Encodes the metadata of each span before the processor of the library sees it end. */
class EncodingProcessor {
  /** @param {string} [version] of the library that the spans claim to come from */
  constructor(version) {
    this.version = version;
  }

  onStart() {}

  onEnd(span) {
    for (const [key, value] of Object.entries(span.attributes)) {
      if (prefix.test(key)) span.attributes[key] = encoded(value);
    }
    if (this.version) span.instrumentationScope = { ...span.instrumentationScope, version: this.version };
  }

  async forceFlush() {}

  async shutdown() {}
}

/** What the library has made JSON already stays; everything else becomes it. */
function encoded(value) {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return JSON.stringify(value);
  }
}

const senders = {
  "as the library sends it": [],
  "encoded": [new EncodingProcessor()],
  "encoded by the next major": [new EncodingProcessor("6.0.0")],
};

const pipelines = {
  "processor, json": "processors::langfuse::metadata::encoding: json",
  "processor, plain": "processors::langfuse::metadata::encoding: plain",
  "no processor": "service::pipelines::traces::processors: [memory_limiter]",
};

const servers = {};
before(async () => {
  for (const [pipeline, setting] of Object.entries(pipelines)) servers[pipeline] = await startWeir(setting);
});
after(() => Promise.all(Object.values(servers).map((weir) => weir.remove())));

const encoding = feature("metadata of the next generation, with and without processor");

for (const pipeline of Object.keys(pipelines)) {
  for (const [sender, first] of Object.entries(senders)) {
    encoding(`${pipeline}, ${sender}`, async () => {
      const connection = connectAlone(servers[pipeline], { first });
      let traceId;
      await propagateAttributes({ metadata: { tenant: "acme", ort: "größe" } }, () => startActiveObservation("encoded", async (span) => {
        traceId = span.traceId;
        span.update({ metadata: given(same) });
      }));
      await connection.flush();
      const expected = { ...Object.fromEntries(Object.entries(same).map(([key, [, reading]]) => [key, reading])), ...nestedRead, tenant: "acme", ort: "größe" };
      assert.deepEqual(await connection.metadata(traceId), expected);
      const ofTrace = condition("string", "traceId", "=", traceId);
      const more = [[condition("stringObject", "metadata", "=", "acme", "tenant"), true], [condition("stringObject", "metadata", "=", '"acme"', "tenant"), false]];
      for (const [filter, found] of [...filters, ...more]) {
        assert.equal((await connection.observations({}, filter, ofTrace)).size, found ? 1 : 0, JSON.stringify(filter));
      }
    });
  }
}
