import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { artifactAt } from "../testing/artifact.ts";
import { emptyDirectory, json, line, problem, type Ran, type LineContext } from "../testing/line.ts";

interface Body {
  readonly slug: string;
}
type Answer = (request: Request, body: Body) => Response | Promise<Response>;

const made: Answer = (_request, { slug }) => json(artifactAt(slug), 201);

/** A folder with files d00.md, d01.md, …, and a separate home. */
function place(count: number) {
  const directory = emptyDirectory();
  const home = emptyDirectory();
  mkdirSync(join(directory, "docs"));
  for (let n = 0; n < count; n++) {
    const name = `d${String(n).padStart(2, "0")}`;
    writeFileSync(join(directory, "docs", `${name}.md`), `# ${name}\n`);
  }
  const notes = join(home, ".local/state/plinth/pushes");
  return {
    directory,
    notes,
    push: (answer: Answer, words: readonly string[] = [], setup: LineContext = {}): Promise<Ran> =>
      line(["push", "--project-slug", "demo", "docs", ...words], {
        directory,
        env: { HOME: home },
        answer: async (request) => {
          const body = request.method === "POST" ? ((await request.clone().json()) as Body) : { slug: "" };
          return answer(request, body);
        },
        ...setup,
      }),
  };
}

const keysOf = ({ requests }: Ran) => requests.map(({ headers }) => headers.get("idempotency-key"));
const resultsOf = ({ stdout }: Ran) =>
  (JSON.parse(stdout) as { results: { file: string; action: string; version: number }[] }).results;
const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `docs/d${String(from + n).padStart(2, "0")}.md`);

describe("many files", () => {
  test("are sent several at once and no more, and come out in their order", async () => {
    let now = 0;
    let most = 0;
    const answer: Answer = async (request, body) => {
      most = Math.max(most, ++now);
      // The first of each four is answered last.
      for (let turns = Number(body.slug.slice(1)) % 4 === 0 ? 20 : 1; turns > 0; turns--) await Bun.sleep(0);
      now--;
      return made(request, body);
    };
    const ran = await place(30).push(answer, ["--concurrency", "5"]);
    expect({ code: ran.code, most }).toEqual({ code: 0, most: 5 });
    expect(resultsOf(ran).map(({ file }) => file)).toEqual(numbers(0, 30));
    const said = ran.stderr.trimEnd().split("\n");
    expect(said).toHaveLength(31);
    expect(said[0]).toMatch(/^1\/30 docs\/d0\d\.md: created$/);
    expect(said.at(-1)).toBe("30 created");
  });

  test("have one address a line in text, one object a line with --ndjson, and say nothing with --quiet", async () => {
    const files = place(3);
    const text = await files.push(made, ["--format", "text", "--quiet"]);
    expect(text.stdout).toBe(["d00", "d01", "d02"].map((slug) => `http://localhost:3000/ada/demo/${slug}\n`).join(""));
    expect(text.stderr).toBe("");
    const lines = (await files.push(made, ["--ndjson"])).stdout.trimEnd().split("\n");
    expect(lines.map((one) => (JSON.parse(one) as { file: string }).file)).toEqual(numbers(0, 3));
  });

  test("write over one line on a terminal, where what fails stays", async () => {
    const answer: Answer = (request, body) =>
      body.slug === "d01" ? problem(413, "content_too_large") : made(request, body);
    const { stderr } = await place(3).push(answer, ["--concurrency", "1"], { terminal: true });
    expect(stderr).toStartWith(
      "\r\u001B[2K1/3 docs/d00.md: created\r\u001B[2K2/3 docs/d01.md: content_too_large: Refused: content_too_large\n" +
        "\r\u001B[2K3/3 docs/d02.md: created\r\u001B[2K2 created, 1 failed\n",
    );
  });

  test.each(["0", "17", "x", "1.5"])("--concurrency %s is refused", async (given) => {
    expect((await place(1).push(made, ["--concurrency", given])).code).toBe(2);
  });

  test("go on past one that fails; exit 1 names it", async () => {
    const answer: Answer = (request, body) =>
      body.slug === "d03"
        ? problem(400, "invalid_source", { errors: [{ path: "content", message: "x", line: 2, column: 5 }] })
        : made(request, body);
    const ran = await place(9).push(answer);
    expect({ code: ran.code, published: resultsOf(ran).length }).toEqual({ code: 1, published: 8 });
    expect(ran.error).toMatchObject({
      code: "partial_failure",
      detail: "docs/d03.md was not published",
      errors: [{ path: "docs/d03.md", message: "invalid_source: Refused: invalid_source", line: 2, column: 5 }],
    });
    expect(ran.stderr).toContain("8 created, 1 failed\n");
  });

  test.each([
    { what: "a token that is not known", refusal: () => problem(401, "unauthenticated"), code: 4 },
    { what: "a project that is not there", refusal: () => problem(404, "not_found"), code: 3 },
    { what: "a token without the scope", refusal: () => problem(403, "insufficient_scope"), code: 5 },
  ])("$what: no other file is tried", async ({ refusal, code }) => {
    const ran = await place(30).push(refusal, ["--concurrency", "2"]);
    expect({ code: ran.code, sent: ran.requests.length, stdout: ran.stdout }).toEqual({ code, sent: 2, stdout: "" });
    expect(ran.stderr).toContain("2 failed, 28 not sent\n");
  });

  test("a server that goes away and stays away ends it; what was not sent is named", async () => {
    let count = 0;
    const answer: Answer = (request, body) => {
      if (count++ > 3) throw Object.assign(new Error("away"), { code: "ECONNREFUSED" });
      return made(request, body);
    };
    const ran = await place(20).push(answer, ["--concurrency", "2"]);
    expect({ code: ran.code, published: resultsOf(ran).length }).toEqual({ code: 1, published: 4 });
    expect((ran.error["errors"] as { message: string }[]).filter(({ message }) => message === "not sent")).toHaveLength(
      14,
    );
  });

  test("create the project once", async () => {
    let exists = false;
    const answer: Answer = async (request, body) => {
      if (request.url.endsWith("/api/projects")) {
        await Bun.sleep(5);
        exists = true;
        return json({ slug: "demo" }, 201);
      }
      return exists ? made(request, body) : problem(404, "not_found");
    };
    const ran = await place(12).push(answer, ["--create-project"]);
    expect({ code: ran.code, published: resultsOf(ran).length }).toEqual({ code: 0, published: 12 });
    expect(ran.requests.filter(({ url }) => url.endsWith("/api/projects"))).toHaveLength(1);
  });

  test("are all sent with --check, and nothing is recorded", async () => {
    const files = place(5);
    const ran = await files.push(
      (request, body) => {
        expect(request.url).toEndWith("?dryRun=true");
        return json({ ...artifactAt(body.slug), dryRun: true });
      },
      ["--check"],
    );
    expect(resultsOf(ran)).toHaveLength(5);
    expect(ran.stderr).toContain("5 would be created\n");
    expect(existsSync(files.notes)).toBe(false);
  });
});

describe("a push that was cut off", () => {
  /** Answers the first `count`, and never again. */
  const until = (count: number, reached: () => void): Answer => {
    let answered = 0;
    return (request, body) => {
      if (answered++ < count) return made(request, body);
      reached();
      return new Promise<Response>(() => {});
    };
  };
  async function cutOff(files: ReturnType<typeof place>, count: number, words: readonly string[] = []): Promise<Ran> {
    const reached = Promise.withResolvers<void>();
    return files.push(until(count, reached.resolve), words, { interrupt: reached.promise });
  }

  test("says what is done and exits with 130", async () => {
    const ran = await cutOff(place(10), 3, ["--concurrency", "1"]);
    expect({ code: ran.code, stdout: ran.stdout, sent: ran.requests.length }).toEqual({
      code: 130,
      stdout: "",
      sent: 4,
    });
    expect(ran.stderr).toContain("3 created, 7 not sent\n");
  });

  test("uses the same keys again, and forgets them when everything arrived", async () => {
    const files = place(10);
    const first = await cutOff(files, 3, ["--concurrency", "1"]);
    const [name = ""] = readdirSync(files.notes);
    const text = readFileSync(join(files.notes, name), "utf8");
    expect(text).not.toContain("# d00");
    expect([files.notes, join(files.notes, name)].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual([
      "700",
      "600",
    ]);

    const second = await files.push(made, ["--concurrency", "1"]);
    expect({ code: second.code, published: resultsOf(second).length }).toEqual({ code: 0, published: 10 });
    expect(keysOf(second).slice(0, 4)).toEqual(keysOf(first));
    expect(readdirSync(files.notes)).toEqual([]);

    const third = await files.push(made, ["--concurrency", "1"]);
    expect(keysOf(third)).not.toContain(keysOf(second)[0] ?? null);
  });

  test("has new keys for what is another request now, or goes elsewhere, or is a day old", async () => {
    const files = place(3);
    const first = keysOf(await cutOff(files, 2, ["--concurrency", "1"]));
    expect(first).toHaveLength(3);
    const elsewhere = await files.push(made, ["--owner", "acme"]);
    const flagged = await cutOff(files, 2, ["--concurrency", "1", "--changelog", "other"]);
    for (const key of [...keysOf(elsewhere), ...keysOf(flagged)]) expect(first).not.toContain(key);

    const [name = ""] = readdirSync(files.notes);
    const path = join(files.notes, name);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replaceAll(
        /"at":"[^"]*"/g,
        `"at":"${new Date(Date.now() - 86_400_001).toISOString()}"`,
      ),
    );
    const later = await files.push(made, ["--changelog", "other"]);
    for (const key of keysOf(later)) expect(keysOf(flagged)).not.toContain(key);
  });

  test("reads past lines that were cut off or are no notes, and notes that are in the way of nothing", async () => {
    const files = place(2);
    const first = await cutOff(files, 1, ["--concurrency", "1"]);
    const [name = ""] = readdirSync(files.notes);
    const path = join(files.notes, name);
    writeFileSync(path, `null\n[]\n{"path":1}\n${readFileSync(path, "utf8")}\n{"path":"/x","sl`);
    writeFileSync(join(files.directory, "docs/new.md"), "# new\n");
    const second = await files.push(made, ["--concurrency", "1"]);
    expect(keysOf(second).slice(0, 2)).toEqual(keysOf(first));
    expect(readdirSync(files.notes)).toEqual([]);
  });

  test("works without a place to note it, which only --debug speaks of", async () => {
    const nowhere = { env: { XDG_STATE_HOME: "/dev/null" } };
    const plain = await place(2).push(made, [], nowhere);
    expect({ code: plain.code, stderr: plain.stderr.includes("recorded") }).toEqual({ code: 0, stderr: false });
    const debugged = await place(2).push(made, ["--debug"], nowhere);
    expect({ code: debugged.code, stderr: debugged.stderr.includes("Not recorded for a second run") }).toEqual({
      code: 0,
      stderr: true,
    });
  });
});

describe("an answer that is given again", () => {
  const replayed = (slug: string) =>
    new Response(JSON.stringify(artifactAt(slug)), {
      status: 201,
      headers: { "content-type": "application/json", "idempotency-replayed": "true" },
    });
  const called = ({ requests }: Ran) => requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);

  test("counts while it holds", async () => {
    const ran = await place(1).push((request, { slug }) =>
      request.method === "POST" ? replayed(slug) : json(artifactAt("d00")),
    );
    expect(resultsOf(ran)).toMatchObject([{ action: "created", version: 1 }]);
    expect(called(ran)).toEqual(["POST /api/artifacts", "GET /api/artifacts/art_d00"]);
  });

  test("is reported as it was, even with later versions on top", async () => {
    const ran = await place(1).push((request, { slug }) =>
      request.method === "POST" ? replayed(slug) : json({ ...artifactAt("d00"), latestVersion: 2 }),
    );
    expect(resultsOf(ran)).toMatchObject([{ action: "created", version: 1 }]);
    expect(called(ran)).toEqual(["POST /api/artifacts", "GET /api/artifacts/art_d00"]);
  });

  test("is created again where the artifact was deleted since", async () => {
    let posts = 0;
    const ran = await place(1).push((request, body) => {
      if (request.method === "GET") return problem(404, "not_found");
      return posts++ === 0 ? replayed(body.slug) : made(request, body);
    });
    expect(ran.code).toBe(0);
    const [first, , second] = keysOf(ran);
    expect({ posts, same: first === second }).toEqual({ posts: 2, same: false });
  });

  test("does not hide from --ensure what was published on top", async () => {
    const answer: Answer = (request, body) => {
      switch (`${request.method} ${new URL(request.url).pathname}`) {
        case "POST /api/artifacts":
          return replayed(body.slug);
        case "GET /api/artifacts/art_d00":
          return json({ ...artifactAt("d00"), title: "d00", latestVersion: 2 });
        case "GET /api/artifacts/art_d00/versions":
          return json({ versions: [{ versionNumber: 2, sha256: "other" }], nextCursor: null });
        default:
          return json({ versionNumber: 3, createdAt: "2026-11-22T00:00:00.000Z" }, 201);
      }
    };
    const ran = await place(1).push(answer, ["--ensure"]);
    expect(resultsOf(ran)).toMatchObject([{ action: "updated", version: 3 }]);
    const published = ran.requests.findLast(({ method }) => method === "POST");
    expect(await published?.json()).toMatchObject({ expectedLatestVersion: 2 });
  });
});

describe("--open", () => {
  test("shows the first that was published; the address is printed all the same", async () => {
    const opened: string[] = [];
    const browse = (address: string) => void opened.push(address);
    const { stdout } = await place(3).push(made, ["--open", "--format", "text"], { browse });
    expect(opened).toEqual(["http://localhost:3000/ada/demo/d00"]);
    expect(stdout.split("\n")).toHaveLength(4);
  });

  test("leaves the browser alone under --no-input, and says where there is none", async () => {
    const opened: string[] = [];
    const quiet = await place(1).push(made, ["--open", "--no-input"], {
      browse: (address) => void opened.push(address),
    });
    expect({ code: quiet.code, opened, said: quiet.stderr.includes("Not opened") }).toEqual({
      code: 0,
      opened: [],
      said: true,
    });
    const without = await place(1).push(made, ["--open"]);
    expect({ code: without.code, said: without.stderr.includes("No browser could be opened") }).toEqual({
      code: 0,
      said: true,
    });
  });
});

test("--public says what is so already, and excludes --private", async () => {
  const files = place(1);
  const ran = await files.push(made, ["--public"]);
  expect(await ran.requests[0]?.json()).toMatchObject({ access: { publicView: true } });
  expect((await files.push(made, ["--public", "--private"])).code).toBe(2);
});
