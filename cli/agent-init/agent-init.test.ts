import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync, chmodSync } from "node:fs";
import { join } from "node:path";

import * as fc from "fast-check";

import { locate, readFlags } from "../arguments/arguments.ts";
import { catalogue } from "../catalogue.ts";
import { emptyDirectory, line } from "../testing/line.ts";
import { blockFor, withBlock, withoutBlock } from "./managed-block.ts";

const target = { owner: "team", projectSlug: "reports", private: false, baseUrl: null };

describe("the block", () => {
  test("is short, and every line in it is one that can be run", () => {
    for (const one of [target, { owner: null, projectSlug: null, private: true, baseUrl: "https://plinth.test" }]) {
      const block = blockFor(one);
      expect(block.split("\n").length).toBeLessThanOrEqual(25);
      const lines = [...block.matchAll(/`plinth ([^`]+)`/g)].map(([, words]) => words ?? "");
      expect(lines.length).toBeGreaterThan(3);
      for (const words of lines) {
        const { node, rest } = locate(words.split(" "), catalogue);
        expect({ words, command: node.command?.path ?? null }).toEqual({ words, command: expect.any(String) });
        expect(() => readFlags(rest, node.command)).not.toThrow();
      }
    }
    expect(blockFor(target)).toContain("--owner team --project-slug reports --ensure --field url");
  });

  test("is put in once, and leaves what is around it, for any text", () => {
    const plain = fc.string({ unit: "grapheme" }).filter((text) => !text.includes("plinth:"));
    fc.assert(
      fc.property(plain, plain, fc.constantFrom("\n", "\r\n"), (head, tail, newline) => {
        const around = (block: string) => `${head}${newline}${block.replaceAll("\n", newline)}${newline}${tail}`;
        const before = around(blockFor({ ...target, projectSlug: "other" }));
        // Where both ends of line occur, the block takes the one of Windows.
        fc.pre(newline === "\r\n" || !before.includes("\r\n"));
        expect(withBlock(before, blockFor(target), "f")).toBe(around(blockFor(target)));
      }),
    );
    fc.assert(
      fc.property(plain, (text) => {
        const once = withBlock(text, blockFor(target), "f");
        expect(once.startsWith(text)).toBe(true);
        expect(withBlock(once, blockFor(target), "f")).toBe(once);
        expect(withoutBlock(once, "f").trimEnd()).toBe(text.trimEnd());
      }),
    );
  });
});

const read = (path: string) => readFileSync(path, "utf8");

async function init(directory: string, ...words: readonly string[]) {
  const { code, stdout, error } = await line(["agent", "init", ...words], { directory });
  return code === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : { code, detail: error["detail"] };
}

describe("plinth agent init", () => {
  test("creates, leaves alone, updates and removes", async () => {
    const directory = emptyDirectory();
    const file = join(directory, "AGENTS.md");
    expect(await init(directory)).toEqual({ action: "created", file });
    expect(await init(directory)).toEqual({ action: "unchanged", file });
    expect(await init(directory, "--project-slug", "reports")).toEqual({ action: "updated", file });
    expect(read(file)).toContain("--project-slug reports");
    expect(await init(directory, "--remove")).toEqual({ action: "removed", file });
    expect(existsSync(file)).toBe(false);
    expect(await init(directory, "--remove")).toEqual({ action: "unchanged", file });
    expect(existsSync(file)).toBe(false);
  });

  test("takes CLAUDE.md where only that is there, or the file it is told", async () => {
    const directory = emptyDirectory();
    writeFileSync(join(directory, "CLAUDE.md"), "Be kind.\r\n");
    chmodSync(join(directory, "CLAUDE.md"), 0o640);
    expect(await init(directory)).toMatchObject({ action: "updated", file: join(directory, "CLAUDE.md") });
    expect(read(join(directory, "CLAUDE.md"))).toStartWith("Be kind.\r\n\r\n<!-- plinth:begin -->\r\n");
    expect(read(join(directory, "CLAUDE.md"))).not.toMatch(/[^\r]\n/);
    expect(statSync(join(directory, "CLAUDE.md")).mode & 0o777).toBe(0o640);
    await init(directory, "--remove");
    expect(read(join(directory, "CLAUDE.md"))).toBe("Be kind.\r\n");
    expect(await init(directory, "--file", "docs.md")).toMatchObject({ file: join(directory, "docs.md") });
    writeFileSync(join(directory, "AGENTS.md"), "");
    expect(await init(directory)).toMatchObject({ action: "updated", file: join(directory, "AGENTS.md") });
  });

  test("takes the project from the project's file", async () => {
    const directory = emptyDirectory();
    writeFileSync(
      join(directory, ".plinth.json"),
      JSON.stringify({ owner: "team", projectSlug: "reports", visibility: "private" }),
    );
    await init(directory);
    expect(read(join(directory, "AGENTS.md"))).toContain("push --owner team --project-slug reports --private --ensure");
  });

  test("says in a dry run what it would do, and does nothing", async () => {
    const directory = emptyDirectory();
    expect(await init(directory, "--dry-run")).toMatchObject({ dryRun: true, action: "created" });
    expect(existsSync(join(directory, "AGENTS.md"))).toBe(false);
  });

  test("writes through a link within the repository, and never out of it", async () => {
    const root = emptyDirectory();
    const directory = join(root, "repository");
    mkdirSync(join(directory, ".git"), { recursive: true });
    writeFileSync(join(directory, "AGENTS.md"), "Mine\n");
    symlinkSync("AGENTS.md", join(directory, "CLAUDE.md"));
    expect(await init(directory, "--file", "CLAUDE.md")).toMatchObject({ file: join(directory, "AGENTS.md") });
    writeFileSync(join(root, "profile"), "export A=1\n");
    symlinkSync(join(root, "profile"), join(directory, "link.md"));
    symlinkSync(root, join(directory, "up"));
    symlinkSync(join(root, "absent"), join(directory, "dangling.md"));
    for (const name of ["link.md", "up/profile", "up/new.md", "dangling.md", "../profile", "../new.md", "absent/a.md"])
      expect(await init(directory, "--file", name)).toMatchObject({ code: 2 });
    expect([read(join(root, "profile")), existsSync(join(root, "absent")), existsSync(join(root, "new.md"))]).toEqual([
      "export A=1\n",
      false,
      false,
    ]);
  });

  test("leaves a file alone that it does not understand", async () => {
    const directory = emptyDirectory();
    const file = join(directory, "AGENTS.md");
    for (const content of [
      "<!-- plinth:begin -->\n",
      "<!-- plinth:end -->\n<!-- plinth:begin -->\n",
      "<!-- plinth:begin --><!-- plinth:end --><!-- plinth:begin --><!-- plinth:end -->",
    ]) {
      writeFileSync(file, content);
      expect(await init(directory)).toMatchObject({ code: 2, detail: expect.stringContaining("plinth:begin") });
      expect(await init(directory, "--remove")).toMatchObject({ code: 2 });
      expect(read(file)).toBe(content);
    }
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
    expect(await init(directory)).toMatchObject({ code: 2, detail: "AGENTS.md cannot be read as UTF-8 text" });
  });

  test("takes only names of projects and accounts", async () => {
    const directory = emptyDirectory();
    expect(await init(directory, "--project-slug", "a`; rm -rf ~")).toMatchObject({ code: 2 });
    expect(await init(directory, "--owner", "a\nb")).toMatchObject({ code: 2 });
  });
});
