// What the tests share: a server, the client with its tracing, and reading back through the client.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";

import { LangfuseClient } from "@langfuse/client";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { setLangfuseTracerProvider } from "@langfuse/tracing";
import { node, NodeSDK } from "@opentelemetry/sdk-node";

import { startWeir } from "./weir.js";

const everyGroup = "core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context";

/** Tests of one feature, which is a row of the table. */
export function feature(name) {
  return (title, ...rest) => test(`${name} :: ${title}`, ...rest);
}

export const unique = (name) => `${name}-${randomUUID().slice(0, 13)}`;

export const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

export const condition = (type, column, operator, value, key) => ({ type, column, operator, value, ...(key && { key }) });

/** Wires a client and its tracing to a server, as an application does. */
function connect(weir) {
  const credentials = { baseUrl: weir.url, publicKey: weir.publicKey, secretKey: weir.secretKey };
  const spans = new LangfuseSpanProcessor({ ...credentials, environment: "conformance", release: "release-9" });
  const telemetry = new NodeSDK({ spanProcessors: [spans], instrumentations: [] });
  telemetry.start();
  return new Connection(new LangfuseClient(credentials), spans, telemetry);
}

/** The same for one test, after which the next may have another server: the tracing is not that of the whole process. */
export function connectAlone(weir, { processor = {}, keys = {}, first = [] } = {}) {
  const credentials = { baseUrl: weir.url, publicKey: weir.publicKey, secretKey: weir.secretKey, ...keys };
  const spans = new LangfuseSpanProcessor({ ...credentials, ...processor });
  const provider = new node.NodeTracerProvider({ spanProcessors: [...first, spans] });
  // The first one to register brings the context with it.
  provider.register();
  setLangfuseTracerProvider(provider);
  return new Connection(new LangfuseClient(credentials), spans, provider);
}

/** A server and a connection for all tests of a file, after what prepares them. */
export function shared(prepare = async () => {}) {
  const holder = {};
  before(async () => {
    holder.weir = await startWeir();
    holder.connection = connect(holder.weir);
    await prepare(holder.connection);
  });
  after(async () => {
    await holder.connection.close();
    await holder.weir.remove();
  });
  return holder;
}

/** Reads what was written. Whoever reads has flushed: what the server acknowledged can be read at once. */
export class Connection {
  constructor(client, spans, telemetry) {
    Object.assign(this, { client, spans, telemetry, api: client.api });
  }

  async flush() {
    await this.spans.forceFlush();
    await this.client.flush();
  }

  async close() {
    await this.telemetry.shutdown();
    await this.client.shutdown();
  }

  /** All rows, through all pages, by name. */
  async observations(parameters, ...conditions) {
    if (conditions.length) parameters = { ...parameters, filter: JSON.stringify(conditions) };
    const rows = new Map();
    let cursor;
    do {
      const page = await this.api.observations.getMany({ fields: everyGroup, ...parameters, cursor });
      for (const row of page.data) {
        assert.ok(!rows.has(row.name), `two rows are named ${row.name}`);
        rows.set(row.name, row);
      }
      cursor = page.meta.cursor;
    } while (cursor);
    return rows;
  }

  async observation(traceId) {
    const rows = await this.observations({ traceId });
    assert.equal(rows.size, 1);
    return rows.values().next().value;
  }

  /** The metadata that the application wrote, and nothing else. */
  async metadata(traceId) {
    const { metadata } = await this.observation(traceId);
    return Object.fromEntries(Object.entries(metadata).filter(([key]) => !/^(resourceAttributes|scope)\./.test(key)));
  }

  /** Scores by name, with all their fields. */
  async scores(parameters) {
    const page = await this.api.scoresV3.getManyV3({ fields: "details,subject,annotation", ...parameters });
    const scores = new Map(page.data.map((score) => [score.name, score]));
    assert.equal(scores.size, page.data.length);
    return scores;
  }

  async experiment(parameters) {
    const page = await this.api.experiments.list({ fromStartTime: anHourAgo(), fields: "metadata,scores", ...parameters });
    assert.equal(page.data.length, 1);
    return page.data[0];
  }

  async experimentItems(parameters) {
    const page = await this.api.experiments.listItems({
      fromStartTime: anHourAgo(), fields: "dataset,io,metadata,scores,itemMetadata,experimentMetadata", ...parameters,
    });
    return page.data;
  }
}
