// The short form of `bun run stress mcp-fuzz`, and a test of its expectations with right and wrong answers.
import { expect, test } from "bun:test";

import { hung } from "../harness/process.ts";
import { mcpFuzz } from "./mcp-fuzz.ts";
import { runShortForm } from "./short-form.ts";
import { faultsOfAnswer, invalidRequest, ok, problem, type Expected } from "./mcp-expectations.ts";

test(mcpFuzz.claim, async () => void (await runShortForm("mcp-fuzz", mcpFuzz)), 5 * hung);

test("an answer that is not what the protocol says is a fault", () => {
  const answer = (status: number, body: unknown, type = "application/json") => ({
    status,
    headers: new Headers({ "content-type": type, "x-request-id": "12345678" }),
    text: typeof body === "string" ? body : JSON.stringify(body),
  });
  const rpc = { jsonrpc: "2.0", id: 1 };
  const refused = (status: number, code: string) => ({
    ...rpc,
    result: { isError: true, content: [], _meta: { "plinth/problem": { status, code } } },
  });
  const wrong: readonly (readonly [Expected, ReturnType<typeof answer>])[] = [
    [ok, answer(500, { ...rpc, result: {} })],
    [ok, answer(400, { ...rpc, result: {} })],
    [ok, answer(200, { ...rpc, error: { code: -32_603, message: "x" } })],
    [ok, answer(200, refused(400, "invalid_request"))],
    [{ ...ok, id: 2 }, answer(200, { ...rpc, result: {} })],
    [ok, answer(200, {})],
    [ok, answer(200, [])],
    [ok, answer(200, "<p>", "text/html")],
    [invalidRequest, answer(400, { ...rpc, result: {} })],
    [invalidRequest, answer(400, { ...rpc, error: { code: -32_700, message: "x" } })],
    [invalidRequest, answer(400, { ...rpc, error: { code: -32_600, message: "x\n    at f (a.ts:1:2)" } })],
    [problem(200, "not_found"), answer(200, { ...rpc, result: {} })],
    [problem(200, "not_found"), answer(200, refused(403, "forbidden"))],
    [{ statuses: [200], problem: "any" }, answer(200, refused(500, "internal"))],
    [{ statuses: [202], isSilent: true }, answer(202, "x")],
  ];
  for (const [expected, given] of wrong) expect(faultsOfAnswer(expected, given)).not.toEqual([]);
  expect(faultsOfAnswer(ok, answer(200, { ...rpc, result: {} }))).toEqual([]);
  expect(faultsOfAnswer(problem(200, "not_found"), answer(200, refused(404, "not_found")))).toEqual([]);
});
