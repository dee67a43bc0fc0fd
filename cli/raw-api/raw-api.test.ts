// `plinth api`.
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line, problem, type LineContext } from "../testing/line.ts";

const env = { SERVICE_TOKEN: "plk_x" };
const api = (words: readonly string[], context: LineContext = {}) =>
  line(["api", ...words], { env, answer: () => json({ username: "ada" }), ...context });
const first = async (words: readonly string[], context: LineContext = {}) => {
  const { requests } = await api(words, context);
  const request = requests[0];
  if (request === undefined) throw new Error("nothing was sent");
  const { pathname, search } = new URL(request.url);
  return { method: request.method, url: pathname + search, body: request.body && (await request.json()) };
};

describe("plinth api", () => {
  test("sends the credential, and prints the answer as it came", async () => {
    const { stdout, requests } = await api(["/api/profile/me"]);
    expect(JSON.parse(stdout)).toEqual({ username: "ada" });
    expect(requests[0]?.headers.get("authorization")).toBe("Bearer plk_x");
    expect((await api(["/api/profile/me", "--jq", ".username"])).stdout).toBe("ada\n");
    expect((await api(["/api/profile/me", "--field", "username"])).stdout).toBe("ada\n");
    const raw = await api(["/api/x/content"], {
      answer: () => new Response("# Text\n", { headers: { "content-type": "text/markdown" } }),
    });
    expect(raw.stdout).toBe("# Text\n");
  });

  test("takes a path in every form, of this instance alone", async () => {
    for (const path of ["/api/a?b=c", "api/a?b=c", "http://localhost:3000/api/a?b=c"])
      expect((await first([path])).url).toBe("/api/a?b=c");
    for (const path of [
      "http://elsewhere.test/api/a",
      "//elsewhere.test/api/a",
      "/dashboard",
      "/api/../dashboard",
      "api",
    ])
      expect({ path, ran: await api([path]) }).toMatchObject({ path, ran: { code: 2, requests: [] } });
    expect(await api([])).toMatchObject({ code: 2, requests: [] });
    expect(await api(["/api/a", "/api/b"])).toMatchObject({ code: 2, requests: [] });
  });

  test("sends members as a body, or in the query of a read", async () => {
    const set = ["-f", "slug=a", "-f", "count=2", "-f", "list=[1]", "-f", "text=a=b"];
    expect(await first(["/api/a", ...set])).toEqual({
      method: "POST",
      url: "/api/a",
      body: { slug: "a", count: 2, list: [1], text: "a=b" },
    });
    expect(await first(["/api/a", "-X", "GET", "-f", "q=two words", "-f", "limit=3"])).toMatchObject({
      method: "GET",
      url: "/api/a?q=two+words&limit=3",
      body: null,
    });
    expect(await first(["/api/a", "--json", '{"a": 1}', "--method", "PATCH"])).toMatchObject({
      method: "PATCH",
      body: { a: 1 },
    });
    const directory = emptyDirectory();
    writeFileSync(join(directory, "body.json"), "[1]");
    expect(await first(["/api/a", "--json", "@body.json"], { directory })).toMatchObject({ method: "POST", body: [1] });
    expect(await first(["/api/a", "-X", "DELETE"])).toMatchObject({ method: "DELETE", body: null });
  });

  test("follows the pages of a list", async () => {
    const answer = ({ url }: Request) => {
      const page = Number(new URL(url).searchParams.get("cursor") ?? 0);
      return json({ artifacts: [{ n: page }], nextCursor: page < 2 ? String(page + 1) : null });
    };
    const { stdout, requests } = await api(["/api/artifacts", "--paginate", "-f", "limit=1"], { answer });
    expect(JSON.parse(stdout)).toEqual({ artifacts: [{ n: 0 }, { n: 1 }, { n: 2 }], nextCursor: null });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=1",
      "?limit=1&cursor=1",
      "?limit=1&cursor=2",
    ]);
    const lines = await api(["/api/artifacts", "--paginate", "--ndjson"], { answer });
    expect(lines.stdout).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
  });

  test("fails as every command does", async () => {
    const { code, error, stdout } = await api(["/api/a"], { answer: () => problem(409, "slug_conflict") });
    expect({ code, stdout, error: error["code"] }).toEqual({ code: 6, stdout: "", error: "slug_conflict" });
  });

  test.each<readonly string[]>([
    ["--set", "nonsense"],
    ["--set", "a=1", "--json", "{}"],
    ["--header", "nonsense"],
    ["--header", "Authorization: Bearer x"],
    ["--method", "GET", "--json", "{}"],
    ["--method", "BREW"],
    ["--paginate", "--method", "POST"],
  ])("%s %s is refused", async (...words: readonly string[]) => {
    expect(await api(["/api/a", ...words])).toMatchObject({ code: 2, requests: [] });
  });

  test("shows the request of a dry run without the credential", async () => {
    const { stdout, requests } = await api(["/api/a", "-f", "a=1", "--dry-run"]);
    expect({ sent: requests.length, value: JSON.parse(stdout) }).toEqual({
      sent: 0,
      value: { dryRun: true, request: { method: "POST", url: "http://localhost:3000/api/a", body: { a: 1 } } },
    });
  });
});
