// Neither a server's answer nor a name that a user chose can control the terminal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "bun:test";

import { locate } from "../arguments/arguments.ts";
import { catalogue, commands } from "../catalogue.ts";
import { emptyDirectory, json, line, problem } from "../testing/line.ts";
import { width } from "../terminal/width.ts";

const hostile =
  "a\u001B[2J\u001B]8;;http://evil.test\u0007b\u001B\\\u009B31m\r\nc\td\u0000\u202Egnp\u2066\u200B\uFEFF\u0085\u2028日本👩‍👩‍👧é";
const time = "2026-11-20T12:00:00.000Z";
// oxlint-disable-next-line no-control-regex
const driving = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/;

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A value of the schema in which every text that may be anything is hostile. */
function worst(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return worst(schema.anyOf[0] ?? {});
  if (schema.type === "array") return schema.items ? [worst(schema.items), worst(schema.items)] : [];
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, worst(member)]));
  if (schema.type === "boolean") return true;
  if (schema.type === "integer" || schema.type === "number") return 1;
  return schema.pattern?.startsWith("^\\d{4}") ? time : hostile;
}

const asked = commands.filter(({ operation }) => operation !== null);
const directory = emptyDirectory();
writeFileSync(join(directory, "report.md"), "# Report");
const plain = {
  directory,
  terminal: true,
  env: { NO_COLOR: "1", OPERATOR_TOKEN: "plo_x", SERVICE_SHARE_TOKEN: "pls_abcdefgh" },
};

describe.each(asked.map((command) => ({ command, path: command.path })))("$path", ({ command, path }) => {
  const example = command.examples.find((text) => !/ @|-$|--share-token/.test(text)) ?? `plinth ${path}`;
  const words = [...example.matchAll(/'([^']*)'|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? "")
    .slice(1)
    .concat(command.confirm && !example.includes("--yes") ? ["--yes"] : []);
  const answers = { "answer of text": () => new Response(hostile), answer: () => json(worst(command.output)) };

  test.each(Object.entries(answers).map(([kind, answer]) => ({ kind, answer })))(
    "$kind is shown without what it would do",
    async ({ answer }) => {
      expect(locate(words, catalogue).node.command?.path).toBe(path);
      for (const format of ["text", "json"]) {
        const { stdout, stderr } = await line([...words, "--format", format], {
          ...plain,
          answer,
        });
        expect(stdout + stderr).not.toMatch(driving);
        expect(stdout + stderr).not.toBe("");
      }
    },
  );
  test("nor does a line of NDJSON", async () => {
    const lastPage = { ...(worst(command.output) as object), nextCursor: null };
    const { stdout, stderr } = await line([...words, "--ndjson"], { ...plain, answer: () => json(lastPage) });
    expect(stdout + stderr).not.toMatch(driving);
    expect(stdout + stderr).not.toBe("");
  });
  test("nor does a refusal", async () => {
    for (const format of ["text", "json"]) {
      const { stdout, stderr, code } = await line([...words, "--format", format], {
        ...plain,
        answer: () =>
          problem(400, "invalid_request", {
            title: hostile,
            detail: hostile,
            hint: hostile,
            requestId: hostile,
            errors: [
              { path: hostile, message: hostile },
              { path: hostile, message: hostile, line: 1 },
            ],
          }),
      });
      expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
      expect(stderr).not.toMatch(driving);
      expect(stderr.replaceAll(/\s|\\./g, "")).toContain("gnp");
    }
  });
});

test("one value alone, the request of a dry run and the address of a push do nothing to a terminal", async () => {
  const dry = { ...plain, directory: emptyDirectory() };
  writeFileSync(join(dry.directory, "a.md"), `# ${hostile}`);
  const artifact = {
    artifactId: "art_1",
    title: hostile,
    url: hostile,
    access: { publicView: true },
    latestVersion: 1,
  };
  for (const words of [
    ["artifact", "get", "--artifact-id", "art_1", "--field", "title"],
    ["push", "--project-slug", "demo", "a.md", "--dry-run"],
    ["push", "--project-slug", "demo", "a.md", "--dry-run", "--field", "request.body.title"],
    ["push", "--project-slug", "demo", "a.md"],
  ]) {
    const { stdout, code } = await line(words, { ...dry, answer: () => json(artifact) });
    expect({ words, code }).toEqual({ words, code: 0 });
    expect(stdout).not.toMatch(driving);
  }
});

describe("tables fit the terminal", () => {
  const artifact = (title: string) => ({
    artifactId: "art_01jd8w3c5t7k9m2n4p6q8r0s1v",
    ownerUsername: "ada",
    projectSlug: "quarterly-figures",
    slug: "the-third-quarter-of-the-year",
    title,
    type: "md",
    latestVersion: 12,
    access: { publicView: true },
    latestAt: time,
    latestBy: { type: "user", id: "usr_1", label: "ada" },
    url: "http://localhost:3000/ada/quarterly-figures/the-third-quarter",
  });
  const artifacts = ["日本語の題名がとても長いとき", "A title that goes on and on, as titles do", "👩‍👩‍👧 family"].map(
    artifact,
  );
  const answer = () => json({ artifacts, nextCursor: null });

  test.each([60, 80, 100, 140])("of %d columns, the whole path among what is left", async (columns) => {
    const { stdout } = await line(["artifact", "list"], { ...plain, columns, answer });
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    for (const text of lines) expect(width(text)).toBeLessThanOrEqual(columns);
    const path = "ada/quarterly-figures/the-third-quarter-of-the-year";
    const at = (text: string) => width(text.slice(0, text.indexOf(path)));
    for (const text of lines.slice(1)) expect(text).toContain(path);
    expect(new Set(lines.slice(1).map(at))).toEqual(new Set([lines[0]?.indexOf("PATH") ?? -1]));
  });

  test("and to a pipe nothing is left out for want of room", async () => {
    const { stdout } = await line(["artifact", "list", "--format", "text"], { columns: 40, answer });
    expect(stdout).toContain("ada/quarterly-figures/the-third-quarter");
    expect(stdout).toContain("PUBLISHED");
  });

  test("titles are links where the terminal shows them, and only there", async () => {
    const shown = async (env: Readonly<Record<string, string>>, terminal = true) =>
      (await line(["artifact", "list", "--format", "text"], { terminal, env, answer })).stdout.includes(
        "\u001B]8;;http://localhost:3000/ada/quarterly-figures/the-third-quarter\u001B\\",
      );
    for (const env of [
      { FORCE_HYPERLINK: "1" },
      { TERM_PROGRAM: "WezTerm" },
      { VTE_VERSION: "7600" },
      { TERM: "xterm-kitty" },
    ])
      expect(await shown(env)).toBeTrue();
    for (const env of [
      {},
      { TERM: "dumb", VTE_VERSION: "7600" },
      { NO_COLOR: "1", VTE_VERSION: "7600" },
      { VTE_VERSION: "5000" },
    ])
      expect(await shown(env as Record<string, string>)).toBeFalse();
    for (const env of [
      { FORCE_HYPERLINK: "0", TERM_PROGRAM: "vscode" },
      { CI: "1", TERM_PROGRAM: "vscode" },
    ])
      expect(await shown(env as Record<string, string>)).toBeFalse();
    expect(await shown({ FORCE_HYPERLINK: "1" }, false)).toBeFalse();
  });

  test("an address that is no web address is no link", async () => {
    const url = "javascript:alert(1)";
    const { stdout } = await line(["artifact", "list"], {
      terminal: true,
      env: { FORCE_HYPERLINK: "1" },
      answer: () => json({ artifacts: [{ ...artifact("x"), url }], nextCursor: null }),
    });
    expect(stdout).not.toContain("]8;;");
  });
});
