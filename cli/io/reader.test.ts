import { describe, expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { contentBytes } from "@plinth/contract/limits";

import { collect, readFileBounded } from "../files/bounded-read.ts";
import { emptyDirectory, json, line } from "../testing/line.ts";

/** A file of this size that takes no room on the disk. */
function sparse(sizeBytes: number, name = "big.md"): string {
  const directory = emptyDirectory();
  writeFileSync(join(directory, name), "# Big\n");
  truncateSync(join(directory, name), sizeBytes);
  return directory;
}

const push = ["push", "--project-slug", "demo"];
const gibibyte = 1024 ** 3;

describe("a file larger than any instance takes", () => {
  test.each([
    { size: 3 * gibibyte, said: "3,221,225,472" },
    { size: 2 * gibibyte + 1, said: "2,147,483,649" },
    { size: gibibyte, said: "1,073,741,824" },
    { size: contentBytes.max + 1, said: "16,777,217" },
  ])("push refuses $said bytes before anything is sent, with and without --ensure", async ({ size, said }) => {
    const directory = sparse(size);
    for (const words of [[], ["--ensure"], ["--dry-run"]]) {
      const { code, error, requests } = await line([...push, "big.md", ...words], { directory });
      expect({ code, error, sent: requests.length }).toMatchObject({
        code: 7,
        error: {
          code: "content_too_large",
          detail: `big.md has ${said} bytes; the limit is 16,777,216 bytes`,
        },
        sent: 0,
      });
    }
  });

  test("a folder that holds one is refused, and so are --file and --json @file of other commands", async () => {
    const directory = sparse(3 * gibibyte);
    writeFileSync(join(directory, "a.md"), "# A\n");
    const update = ["artifact", "update", "--artifact-id", "art_01jd8w3c5t7k9m2n4p6q8r0s1v"];
    for (const words of [
      [...push, "."],
      [...update, "--file", "big.md"],
      [...update, "--json", "@big.md"],
    ]) {
      const { code, error, requests } = await line(words, { directory });
      expect({ words, code, error: error["code"], sent: requests.length }).toEqual({
        words,
        code: 7,
        error: "content_too_large",
        sent: 0,
      });
    }
  });

  test("a file of exactly the limit is sent whole", async () => {
    const directory = sparse(contentBytes.max);
    const { code, requests } = await line([...push, "big.md"], {
      directory,
      answer: () => json({ artifactId: "art_01jd8w3c5t7k9m2n4p6q8r0s1v", url: "http://h/a/b/c", access: {} }, 201),
    });
    const body = (await requests[0]?.json()) as { content: string };
    expect({ code, length: body.content.length }).toEqual({ code: 0, length: contentBytes.max });
  });
});

describe("standard input", () => {
  test("is read no further than the limit", async () => {
    let chunks = 0;
    async function* endless() {
      for (;;) {
        chunks++;
        yield new Uint8Array(1024);
      }
    }
    expect(await collect(endless(), 4096)).toEqual({ tooLarge: true, sizeBytes: null });
    expect(chunks).toBe(5);
  });

  test("over the limit is refused before anything is sent", async () => {
    const stdin = "x".repeat(contentBytes.max + 1);
    const { code, error, requests } = await line([...push, "--type", "md", "--title", "T", "-"], { stdin });
    expect({ code, detail: error["detail"], sent: requests.length }).toEqual({
      code: 7,
      detail: "Standard input has more than 16,777,216 bytes; the limit is 16,777,216 bytes",
      sent: 0,
    });
  });

  test("over the length of a token is refused as a token", async () => {
    const { code, error } = await line(["whoami", "--token-stdin"], { stdin: "x".repeat(100_000) });
    expect({ code, detail: error["detail"] }).toEqual({ code: 2, detail: "Standard input is longer than a token" });
  });
});

test("a file that has no size, such as a pipe of the shell, is read up to the limit", async () => {
  const directory = emptyDirectory();
  const pipe = join(directory, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  const writer = Bun.spawn(["sh", "-c", `printf '# From a pipe' > ${pipe}`]);
  expect(Buffer.from((await readFileBounded(pipe, 100)) as Uint8Array).toString()).toBe("# From a pipe");
  await writer.exited;
});
