import { describe, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";
import { bodyDepth } from "@plinth/contract/limits";
import { registry, type OperationName } from "@plinth/contract/registry";

import { fromRest, inputRefusal } from "./input.ts";

interface Sent {
  path?: Record<string, string>;
  query?: string;
  body?: unknown;
}

function read(name: OperationName, { path = {}, query = "", body }: Sent): Record<string, unknown> {
  const sent = fromRest(registry[name], { path, query: new URLSearchParams(query), body });
  const refusal = inputRefusal(registry[name], sent);
  if (refusal !== null) throw refusal;
  return sent.input;
}

function wrong(name: OperationName, sent: Sent): string[] {
  try {
    read(name, sent);
  } catch (error) {
    if (error instanceof AppError) return (error.extra.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
}

const project = { slug: "s", title: "T", icon: "x" };
const artifact = {
  projectSlug: "p",
  slug: "s",
  type: "md",
  title: "T",
  content: "",
  access: { publicView: true, publicEdit: false },
};

describe("path and query", () => {
  test("strict decimals and booleans are read, nothing else is", () => {
    expect(read("artifact.listMine", { query: "limit=7&deleted=true" })).toEqual({ limit: 7, deleted: true });
    for (const value of ["", "1e1", "01", "+1", " 1", "1.0", "0x1", "-1", "0", "101", "9".repeat(30), "１"]) {
      expect(wrong("artifact.listMine", { query: `limit=${encodeURIComponent(value)}` })).toHaveLength(1);
    }
    for (const value of ["1", "TRUE", "yes", ""]) {
      expect(wrong("artifact.listMine", { query: `deleted=${value}` })).toHaveLength(1);
    }
    const restore = (versionNumber: string) => ({ path: { artifactId: "x", versionNumber } });
    expect(read("version.restore", restore("3"))).toEqual({ artifactId: "x", versionNumber: 3 });
    for (const value of ["0", "1e3", "2147483648", "x", ""])
      expect(wrong("version.restore", restore(value))[0]).toStartWith("versionNumber: ");
  });

  test("a parameter that is given twice, or is none, is named", () => {
    expect(wrong("artifact.list", { query: "limit=1&limit=1" })).toEqual(["limit: is given more than once"]);
    for (const name of ["x", "__proto__", "constructor", "limit[]", "LIMIT", "artifactId"])
      expect(wrong("artifact.list", { query: `${name}=1` })[0]).toStartWith(`${name}: `);
    expect(wrong("project.create", { query: "slug=s", body: project })[0]).toStartWith("slug: ");
  });

  test("an identifier may be any text: it is looked for and not found", () => {
    for (const artifactId of ["", "x", "art_\0", "\uD800"])
      expect(wrong("artifact.get", { path: { artifactId } })).toEqual([]);
  });
});

describe("a body", () => {
  test("is an object, and none where none is expected", () => {
    for (const body of [undefined, null, [], "x", 1, true])
      expect(wrong("project.create", { body })).toEqual([": must be a JSON object"]);
    const path = { artifactId: "x" };
    expect(wrong("artifact.undelete", { path, body: { a: 1 } })).toEqual([": no body is expected"]);
    for (const body of [undefined, {}]) expect(wrong("artifact.undelete", { path, body })).toEqual([]);
  });

  test("has no field that is unknown, of the path, or of every object's prototype", () => {
    for (const name of ["extra", "__proto__", "constructor", "toString"]) {
      const body: unknown = JSON.parse(`{"slug":"s","title":"T","icon":"x","${name}":{"polluted":true}}`);
      expect(wrong("project.create", { body })[0]).toStartWith(`${name}: `);
    }
    const path = { artifactId: "x" };
    expect(wrong("version.create", { path, body: { content: "", artifactId: "y" } })[0]).toStartWith("artifactId: ");
    const nested: unknown = JSON.parse('{"publicView":true,"publicEdit":false,"__proto__":{"publicEdit":true}}');
    expect(wrong("artifact.create", { body: { ...artifact, access: nested } })[0]).toContain("__proto__");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("names each field that is missing or wrong", () => {
    expect(wrong("project.create", { body: { title: 1, icon: "" } }).map((text) => text.split(":")[0])).toEqual(
      expect.arrayContaining(["slug", "title", "icon"]),
    );
    const access = { publicView: true, publicEdit: false, viewerEmails: ["a@b.c", "ä@b.c"] };
    expect(wrong("artifact.create", { body: { ...artifact, access } })[0]).toStartWith("access.viewerEmails.1: ");
    expect(wrong("artifact.create", { body: { ...artifact, type: "js" } })[0]).toContain("must be one of");
  });

  test("holds only text that can be kept", () => {
    expect(wrong("project.create", { body: { ...project, title: "a\0" } })).toEqual(["title: must not contain NUL"]);
    expect(wrong("project.create", { body: { ...project, title: "\uDC00" } })).toEqual([
      "title: must be well-formed Unicode",
    ]);
    const edits = [{ oldText: "a", newText: "\0" }];
    expect(wrong("version.edit", { path: { artifactId: "x" }, body: { edits } })[0]).toStartWith("edits.0.newText");
  });

  test("is bounded in length, also where combining marks form one character", () => {
    const title = (text: string) => wrong("project.create", { body: { ...project, title: text } });
    expect(title("x".repeat(200))).toEqual([]);
    for (const text of ["", "   ", "x".repeat(201), `e${"\u0301".repeat(5000)}`]) expect(title(text)).not.toEqual([]);
  });

  test("is not followed deeper than it may go", () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
    expect(wrong("project.create", { body: { ...project, title: deep(bodyDepth + 5) } })).toEqual([
      `: is nested deeper than ${bodyDepth} levels`,
    ]);
    expect(wrong("project.create", { body: { ...project, title: deep(3) } })[0]).toStartWith("title");
  });

  test("is not answered with as much as was sent", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field-${index}`, 1]));
    const read = fromRest(registry["project.create"], { path: {}, query: new URLSearchParams(), body: many });
    expect(read.errors.length).toBeLessThanOrEqual(20);
    const viewerEmails = Array.from({ length: 5000 }, () => "\0");
    const body = { ...artifact, access: { ...artifact.access, viewerEmails } };
    expect(wrong("artifact.create", { body }).length).toBeLessThanOrEqual(20);
    const [named] = wrong("project.create", { body: { ...project, ["x".repeat(100_000)]: 1 } });
    expect(named?.length).toBeLessThan(200);
  });
});
