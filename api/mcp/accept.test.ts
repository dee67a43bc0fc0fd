// The `Accept` of a message: clients of the earlier revisions send one of the two types, or none.
import { afterAll, expect, test } from "bun:test";

import { createMcpService, olderRevisions } from "./test/messages.ts";

const { service, as } = await createMcpService();
afterAll(() => service.close());

const asked = (revision: string, accept: string | null) =>
  service.ask("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "whoami", arguments: {} } },
    headers: { "mcp-protocol-version": revision, ...(accept !== null && { accept }) },
    as,
  });

const json = [
  "application/json",
  "Application/JSON;q=0.9",
  "*/*",
  "application/*",
  "text/event-stream, */*;q=0.1",
  null,
];

test.each(olderRevisions)("%s: JSON is answered wherever it is accepted, also without a header", async (revision) => {
  for (const accept of json) {
    const answer = await asked(revision, accept);
    expect([accept, answer.status, answer.headers.get("content-type")]).toEqual([accept, 200, "application/json"]);
    expect(await answer.json()).toMatchObject({ id: 1, result: { content: [{ type: "text" }] } });
  }
});

test.each(olderRevisions)("%s: a stream is answered where it is accepted alone", async (revision) => {
  const answer = await asked(revision, "text/event-stream");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const [, data = ""] = /^data: (.+)$/m.exec(await answer.text()) ?? [];
  expect(JSON.parse(data)).toMatchObject({ id: 1, result: { content: [{ type: "text" }] } });
});

test("another type is refused", async () => {
  expect((await asked("2025-11-25", "text/html")).status).toBe(406);
});
