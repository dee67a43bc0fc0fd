// HTTP around the protocol's messages: the same answers directly, and through a separate web app.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { jsonOf, send } from "../harness/http.ts";
import { createKey } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { openBothWays, ways, type BothWays } from "./both-ways.ts";

setDefaultTimeout(hung);

let fixtures: BothWays;
beforeAll(async () => {
  fixtures = await openBothWays();
});
afterAll(() => fixtures.close());

describe.each(ways)("%s", (way) => {
  test("HTTP says the same of a credential that is missing or too narrow, and where to get another", async () => {
    const url = `${fixtures.origins[way]}/mcp`;
    const nobody = await send(url, { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    expect(nobody.status).toBe(401);
    const header = nobody.headers.get("www-authenticate") ?? "";
    const metadata = /resource_metadata="([^"]+)"/.exec(header)?.[1] ?? "";
    expect(metadata).toStartWith(fixtures.publicUrl);
    expect(jsonOf(await send(metadata))).toMatchObject({ resource: `${fixtures.publicUrl}/mcp` });
    const token = await createKey(fixtures.instance, fixtures.person.userId, ["artifacts:read"]);
    const params = { name: "delete_artifact", arguments: { artifactId: "nobody/has/this" } };
    const narrow = await send(url, {
      method: "POST",
      token,
      headers: { accept: "application/json, text/event-stream" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
    expect([narrow.status, narrow.headers.get("www-authenticate")]).toEqual([200, null]);
    expect(JSON.parse(narrow.text)).toMatchObject({ id: 1, result: { isError: true } });
  });

  test("a batch of 2025-03-26 is answered as one, and what is no POST is refused by what HTTP has for it", async () => {
    const url = `${fixtures.origins[way]}/mcp`;
    const { token } = fixtures.person;
    const headers = { accept: "application/json, text/event-stream" };
    const messages = [
      { jsonrpc: "2.0", id: "a", method: "ping" },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: "b", method: "tools/call", params: { name: "whoami", arguments: {} } },
    ];
    const batch = jsonOf<unknown[]>(await send(url, { method: "POST", token, headers, body: messages }));
    expect(batch).toMatchObject([
      { id: "a", result: {} },
      { id: "b", result: { content: [{ text: expect.stringContaining(fixtures.person.username) }] } },
    ]);
    for (const method of ["GET", "DELETE"]) {
      const answer = await send(url, { method, token, headers });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  test("an answer that is a stream comes as one", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "listener", version: "1.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const method = "subscriptions/listen";
    const answer = await fetch(`${fixtures.origins[way]}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${fixtures.person.token}`,
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { notifications: {}, _meta: meta } }),
    });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    const events = (await answer.text()).trim().split("\n\n");
    const said = events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, "")) as object);
    // Nothing that a client could be told of ever changes, and so there is an end to it at once.
    expect(said).toMatchObject([
      { method: "notifications/subscriptions/acknowledged" },
      { id: 7, result: { resultType: "complete" } },
    ]);
  });
});
