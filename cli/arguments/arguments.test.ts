import { describe, expect, test } from "bun:test";

import { line } from "../testing/line.ts";

describe("a line that is not right is not sent", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["artifact lst", "Did you mean plinth artifact list?"],
    ["lst", "Did you mean plinth ls"],
    ["artifact get --artifct-id art_1", "Did you mean --artifact-id?"],
    ["--fromat json artifact list", "Did you mean --format?"],
    ["artifact list --format yaml", ""],
    ["artifact list --format", "--format=-value"],
    ["artifact list --limit --quiet", "--limit=-value"],
    ["artifact list --limit 0", ""],
    ["artifact list --limit 101", "--ndjson"],
    ["artifact list --limit 1.5", ""],
    ["artifact list --limit 5 --limit 6", "Give it once"],
    ["artifact list --quiet=1", ""],
    ["artifact list extra more", ""],
    ["artifact list --check", "--dry-run"],
    ["artifact list --field artifcts", "Did you mean artifacts?"],
    ["artifact get", ""],
    ["artifact get --artifact-id ..", ""],
    ["artifact get --artifact-id=", ""],
    ["artifact delete --artifact-id art_1", "--yes"],
    ["artifact update --artifact-id art_1", "--json"],
    ["artifact update --artifact-id art_1 --json {", "@file"],
    ['artifact patch --artifact-id art_1 --json {"titel":"x"}', "Did you mean title?"],
    ['artifact patch --json {"artifactId":"..","title":"x"}', ""],
    ['artifact patch --json {"artifactId":{},"title":"x"}', ""],
    ['artifact patch --json {"artifactId":"\\ud800","title":"x"}', ""],
    ["artifact get --artifact-id \uD800", "half a character"],
    ["artifact get --__proto__ x", ""],
    ["--constructor artifact get", ""],
    ["artifact update --artifact-id art_1 --content a --file b", "one of"],
    ["artifact diff --from 1", ""],
    ["operator jobs run --kind retenton", "Did you mean retention?"],
    ["operator user api-key --user-id u --name n --scopes artifacts:read,nothing", ""],
    ["artifact", "There are access, content"],
    ["push report.md", ""],
    ["push --project-slug demo", "Name one"],
    ["push --project-slug demo absent.md", ""],
    ["push --project-slug demo -", "--type"],
    ["push --project-slug demo --type pdf -", ""],
    ["artifact list --base-url somewhere", "http://localhost:3000"],
    ["artifact list --base-url http://localhost:3000/api", "http://localhost:3000"],
    ["artifact list --base-url http://u:p@localhost:3000", "--token"],
    ["artifact list --token a --token-stdin", ""],
  ];
  test.each(wrong.map(([words, hint]) => ({ words, hint })))("$words", async ({ words, hint }) => {
    const { code, stdout, error, requests } = await line(words.split(" "));
    expect({ code, stdout, requests: requests.length }).toEqual({
      code: 2,
      stdout: "",
      requests: 0,
    });
    expect(error).toMatchObject({ exitCode: 2, retryable: false });
    expect(error["hint"] ?? "").toEqual(expect.stringContaining(hint));
  });
});

test("a dry run of a deletion needs no --yes, and sends nothing", async () => {
  const { code, stdout, requests } = await line("artifact delete --artifact-id art_1 --dry-run".split(" "));
  expect({ code, requests }).toEqual({ code: 0, requests: [] });
  expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, request: { method: "DELETE" } });
});

test("global flags stand anywhere on the line", async () => {
  const answer = () => Response.json({ artifacts: [], nextCursor: null });
  for (const words of [
    ["--base-url", "http://h.test", "artifact", "list", "--limit", "2"],
    ["artifact", "--base-url=http://h.test", "list", "--limit", "2"],
    ["artifact", "list", "--limit", "2", "--base-url", "http://h.test"],
  ]) {
    const { code, requests } = await line(words, { answer });
    expect({ code, url: requests[0]?.url }).toEqual({
      code: 0,
      url: "http://h.test/api/profile/artifacts?limit=2",
    });
  }
});

test("--version is the client's, or a version's number where the command takes one", async () => {
  expect((await line(["--version"])).stdout).toBe("0.2.0\n");
  expect((await line(["artifact", "list", "--version"])).stdout).toBe("0.2.0\n");
  const { requests } = await line(["artifact", "content", "--artifact-id", "a", "--version", "3"], {
    answer: () => new Response("x"),
  });
  expect(requests[0]?.url).toEndWith("/content?version=3");
});

test("a failure never repeats a token", async () => {
  const token = `plk_${"a1B2".repeat(10)}`;
  for (const words of [
    ["artifact", token],
    [token],
    ["artifact", "list", "--tokn", token],
    ["artifact", "list", `--tokn=${token}`],
    ["push", "--project-slug", "x", token],
  ]) {
    const { stderr, code } = await line([...words, "--debug"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain(token);
  }
});
