import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "bun:test";
import { encode } from "gpt-tokenizer";

import { commands } from "../catalogue.ts";
import { exitCodes, failureCodes } from "../failure/failure.ts";
import { subjectFlags } from "../arguments/subject.ts";
import { line } from "../testing/line.ts";
import catalogueSchema from "./catalogue.schema.json" with { type: "json" };
import pinned from "./pinned.json" with { type: "json" };
import { pin, type Pinned } from "./pin.ts";
import { environment, wholeCatalogue } from "./whole.ts";

const printed = async (...words: string[]) => JSON.parse((await line(["schema", ...words])).stdout) as unknown;
type Whole = ReturnType<typeof wholeCatalogue>;

const outputs = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });

describe("the catalogue", () => {
  test("is what its JSON Schema says, whole and narrowed", async () => {
    const valid = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(catalogueSchema);
    for (const words of [[], ["artifact"], ["artifact", "update"]]) {
      valid(await printed(...words));
      expect(valid.errors).toBeNull();
    }
    const { commands: _commands, ...without } = (await printed()) as Whole;
    expect(valid(without)).toBeFalse();
    expect(await printed("--json-schema")).toEqual(catalogueSchema);
  });

  test("has every command, every code a command names, and nothing undescribed", async () => {
    const { commands: entries, errorCodes, globalFlags } = (await printed()) as Whole;
    expect(entries.map(({ path }) => path)).toEqual(commands.map(({ path }) => path));
    const codes = errorCodes.map(({ code }) => code);
    expect(codes).toEqual([...failureCodes]);
    for (const { path, errors, exitCodes: ends } of entries) {
      expect(codes, path).toEqual(expect.arrayContaining(errors));
      expect(Object.keys(exitCodes).map(Number), path).toEqual(expect.arrayContaining(ends));
      expect(ends.length, path).toBeGreaterThan(1);
    }
    for (const { name, description } of [...globalFlags, ...entries.flatMap(({ flags }) => flags)])
      expect(description, name).toMatch(/^[A-Z].{3,}$/);
  });

  test.each(commands.map(({ path, output }) => ({ path, output })))(
    "$path: its output is a JSON Schema 2020-12 that says something",
    ({ output }) => {
      expect(outputs.validateSchema(output), JSON.stringify(outputs.errors)).toBeTrue();
      const valid = outputs.compile(output);
      expect([42, [], null].filter((nonsense) => valid(nonsense))).toEqual([]);
    },
  );

  test("says what a command prints as text", async () => {
    const { commands: entries } = (await printed()) as Whole;
    const texts = new Map(entries.map(({ path, text }) => [path, text]));
    for (const [path, text] of [
      ["artifact access get", "sentences"],
      ["artifact list", "a table"],
      ["artifact get", "sentences"],
      ["keys create", null],
      ["artifact delete", "nothing"],
    ] as const)
      expect(texts.get(path), path).toBe(text);
  });

  test("bounds of numbers and JSON stand with their flags", async () => {
    const { commands: entries } = (await printed()) as Whole;
    const flag = (path: string, name: string) =>
      entries.find((entry) => entry.path === path)?.flags.find((one) => one.name === name);
    expect(flag("artifact list", "--limit")).toMatchObject({
      type: "integer",
      default: 20,
      schema: { minimum: 1, maximum: 100 },
    });
    expect(flag("artifact create", "--access")).toMatchObject({
      type: "json",
      required: true,
      schema: { required: ["publicView", "publicEdit"], additionalProperties: false },
    });
    expect(flag("artifact create", "--json")).toMatchObject({ schema: { properties: { slug: { maxLength: 64 } } } });
    expect(flag("keys create", "--scopes")).toMatchObject({ type: "list", repeatable: true });
    expect(flag("artifact access set", "--public-view")).toMatchObject({ negation: "--no-public-view" });
  });

  test("narrows to one command or a group, and suggests what was meant", async () => {
    const paths = async (...words: string[]) => ((await printed(...words)) as Whole).commands.map(({ path }) => path);
    expect(await paths("artifact", "update")).toEqual(["artifact update"]);
    expect((await paths("path")).toSorted()).toEqual(["path artifact", "path project"]);
    for (const [word, meant] of [
      ["artifct", "plinth schema artifact?"],
      ["artifact updte", "plinth schema artifact update"],
    ] as const) {
      const { code, error } = await line(["schema", ...word.split(" ")]);
      expect({ code, hint: error["hint"] }).toEqual({ code: 2, hint: expect.stringContaining(meant) as string });
    }
    expect((await line(["schema", "--json-schema", "artifact"])).code).toBe(2);
  });
});

test("an environment variable is listed where it is read, and only there", () => {
  const root = join(import.meta.dir, "..");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !/^(node_modules|testing|dist)\//.test(path),
  );
  const read = sources.flatMap((path) =>
    [
      ...readFileSync(join(root, path), "utf8").matchAll(
        /(?:env\[|env\.|isSet\(|variable\(env, )"?([A-Z][A-Z0-9_]*)"?/g,
      ),
    ].map(([, name]) => name ?? ""),
  );
  expect(environment.map(({ name }) => name).toSorted()).toEqual([...new Set(read)].toSorted());
});

describe("--compact", () => {
  test("stays under 1,500 tokens, at 17 or less a command", async () => {
    for (const format of ["json", "text"]) {
      const { stdout } = await line(["schema", "--compact", "--format", format]);
      const tokens = encode(stdout).length;
      expect(tokens).toBeLessThan(1_500);
      expect(tokens / commands.length).toBeLessThanOrEqual(17);
    }
  });

  test("names every flag that must be given, one line a command", async () => {
    const { stdout } = await line(["schema", "--compact", "--format", "text"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(commands.length);
    for (const [place, { path, flags, subject }] of commands.entries()) {
      const named = subject === undefined ? [] : subjectFlags(subject);
      const said = lines[place]?.replace("{content}", "--content=") ?? "";
      expect(said.startsWith(path)).toBeTrue();
      const mustBeSaid = said.replace(/ \[[^\]]*--(?!no-).*$/, "");
      for (const [name, { required }] of Object.entries(flags))
        if (named.includes(name))
          expect(said.split(" ")[path.split(" ").length]).toMatch(required ? /^<.*>$/ : /^[[<]/);
        else if (required) expect(mustBeSaid, path).toMatch(new RegExp(`--(\\[no-\\])?${name}(=|$| )`));
    }
  });
});

describe("programs can rely on everything that is pinned", () => {
  const now: Pinned = pin(wholeCatalogue(commands));
  test("version and members", () => {
    expect(now.schemaVersion).toBe(pinned.schemaVersion);
    for (const kind of ["members", "commandMembers", "flagMembers", "env", "errorCodes"] as const)
      expect(now[kind], kind).toEqual(expect.arrayContaining(pinned[kind]));
    expect(now.exitCodes).toMatchObject(pinned.exitCodes);
  });
  test.each(Object.entries(pinned.commands).map(([path, before]) => ({ path, before })))(
    "$path takes what it took, and needs no more",
    ({ path, before }) => {
      const command = now.commands[path];
      const needed = (flags: Readonly<Record<string, string>>) =>
        Object.keys(flags).filter((name) => flags[name]?.endsWith("!"));
      const mayNeed = needed(before.flags);
      expect(needed(command?.flags ?? {}).filter((name) => !mayNeed.includes(name))).toEqual([]);
      // A flag that was needed may be left out now.
      const kinds = (flags: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(flags).map(([name, kind]) => [name, kind.replace(/!$/, "")]));
      expect({ ...command, flags: kinds(command?.flags ?? {}) }).toMatchObject({
        ...before,
        flags: kinds(before.flags),
      });
    },
  );
});
