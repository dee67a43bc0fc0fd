// The real process with its output closed or full: what tests in one process cannot show.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory } from "../testing/line.ts";

const main = join(import.meta.dir, "../main.ts");
const directory = emptyDirectory();
const names = Array.from({ length: 12 }, (_, place) => `f${place}.md`);
for (const name of names) writeFileSync(join(directory, name), `# ${name}\n`);

let published = 0;
let gone = "";
const server = Bun.serve({
  port: 0,
  async fetch(request) {
    // The reader has closed its end before the first answer, so every later write meets a closed pipe.
    while (gone !== "" && !existsSync(gone)) await Bun.sleep(5);
    if (request.method !== "POST") return Response.json({ artifacts: [], nextCursor: null });
    const { slug } = (await request.json()) as { slug: string };
    published++;
    const artifact = { artifactId: `art_${slug}`, url: `http://h/a/b/${slug}`, latestVersion: 1, access: {} };
    return Response.json(artifact, { status: 201 });
  },
});
afterAll(() => server.stop(true));

/** Runs the words with a redirection of the shell; the exit code and what standard error had where it was kept. */
async function run(words: string, redirection: string) {
  const mark = join(directory, `run-${crypto.randomUUID()}`);
  gone = redirection.includes("$GONE") ? `${mark}.gone` : "";
  published = 0;
  const script = `{ ${process.execPath} ${main} ${words}; echo $? > ${mark}.code; } ${redirection}`;
  const child = Bun.spawn(["sh", "-c", script.replaceAll("$GONE", gone).replaceAll("$ERR", `${mark}.err`)], {
    cwd: directory,
    env: {
      HOME: directory,
      PATH: process.env["PATH"] ?? "",
      SERVICE_BASE_URL: server.url.origin,
      SERVICE_TOKEN: "plk_x",
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
  const stderr = existsSync(`${mark}.err`) ? readFileSync(`${mark}.err`, "utf8") : "";
  return { code: Number(readFileSync(`${mark}.code`, "utf8")), stderr, published };
}

const closed = "| { exec 0<&-; touch $GONE; }";
const push = `push --project-slug demo ${names.join(" ")}`;

describe("a push whose reader has closed the pipe", () => {
  test("of both streams: every file is published, and the exit code is not 0", async () => {
    expect(await run(push, `2>&1 ${closed}`)).toMatchObject({ code: 1, published: names.length });
  });

  test("of standard output: standard error says that the result was lost", async () => {
    const { code, stderr, published: sent } = await run(push, `2>$ERR ${closed}`);
    expect({ code, sent }).toEqual({ code: 1, sent: names.length });
    expect(stderr.trimEnd().split("\n").at(-1)).toContain("Standard output was closed before the result was written");
  });

  test("of standard error alone: every file is published and the result is whole", async () => {
    expect(await run(push, `3>&1 1>$ERR 2>&3 ${closed}`)).toMatchObject({
      code: 0,
      published: names.length,
      stderr: expect.stringContaining(`{"results":[`),
    });
  });
});

test("a read whose reader has closed the pipe ends quietly", async () => {
  for (const words of ["artifact list", "schema", "completion bash"])
    expect(await run(words, `2>$ERR | { exec 0<&-; touch $GONE; }`)).toMatchObject({ code: 0, stderr: "" });
});

test("a result that does not fit on the disk is one error object, without the program's source", async () => {
  for (const words of ["schema", "schema --compact", "artifact list", "--help", push]) {
    const { code, stderr } = await run(words, `>/dev/full 2>$ERR`);
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    const { error } = JSON.parse(last) as { error: { code: string; detail: string } };
    expect({ words, code, error }).toMatchObject({
      words,
      code: 1,
      error: { code: "internal", detail: "Standard output cannot be written (ENOSPC)" },
    });
    expect(stderr).not.toContain(" at ");
    expect(stderr.length).toBeLessThan(2000);
  }
});
