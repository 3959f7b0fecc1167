import { LangfuseClient } from "@langfuse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWeir } from "./weir.js";

let weir;
beforeAll(async () => { weir = await startWeir(); });
afterAll(() => weir.remove());

test("an answer is scored", async () => {
  const langfuse = new LangfuseClient({ baseUrl: weir.url, publicKey: weir.publicKey, secretKey: weir.secretKey });
  langfuse.score.create({ name: "right", value: 1, traceId: "a-trace" });
  await langfuse.flush();
  const scores = await langfuse.api.scoresV3.getManyV3({ traceId: "a-trace" });
  expect(scores.data.map((score) => score.value)).toEqual([1]);
});
