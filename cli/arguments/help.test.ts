import { describe, expect, test } from "bun:test";

import { locate, readFlags } from "./arguments.ts";
import { catalogue, commands } from "../catalogue.ts";
import { line } from "../testing/line.ts";

describe.each(commands.map((command) => ({ command, path: command.path })))("$path", ({ command, path }) => {
  test("help: examples first, one screen, nothing sent", async () => {
    for (const words of [
      [...path.split(" "), "--help"],
      ["help", ...path.split(" ")],
      ["-h", ...path.split(" ")],
    ]) {
      const { code, stdout, stderr } = await line(words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.split("\n").length).toBeLessThan(46);
      for (const text of stdout.split("\n")) expect(text.length).toBeLessThanOrEqual(80);
      expect(stdout.indexOf("Examples")).toBeLessThan(stdout.indexOf("Flags"));
    }
  });
  test("its examples are right", () => {
    expect(command.examples).not.toBeEmpty();
    for (const example of command.examples) {
      const words = [...example.matchAll(/'([^']*)'|(\S+)/g)]
        .map(([, quoted, plain]) => quoted ?? plain ?? "")
        .slice(1);
      const { node, rest } = locate(words, catalogue);
      expect(node.command?.path).toBe(path);
      expect(() => readFlags(rest, command)).not.toThrow();
    }
  });
});

test("a field that may be empty says how it is emptied", async () => {
  const { stdout } = await line(["artifact", "patch", "--help"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("A sentence or two on what it is; none for none");
});

test("every command is named in the help of the whole", async () => {
  const { stdout } = await line([]);
  const words = new Set(stdout.match(/[a-z]+/g));
  for (const name of catalogue.children.keys()) expect(words).toContain(name);
});

test("the whole on one screen, with and without words", async () => {
  const { stdout } = await line([]);
  for (const words of [[], ["help", "flags"], ["artifact", "--help"], ["help", "operator", "user"]])
    for (const text of (await line(words)).stdout.split("\n")) expect(text.length).toBeLessThanOrEqual(80);
  expect(stdout.split("\n").length).toBeLessThan(40);
  expect((await line(["--help"])).stdout).toBe(stdout);
  expect((await line(["help"])).stdout).toBe(stdout);
  expect((await line(["help", "flags"])).stdout).toContain("SERVICE_BASE_URL");
  expect((await line(["nonsense", "--help"])).code).toBe(2);
});
