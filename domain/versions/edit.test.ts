import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { AppError } from "@plinth/contract/errors";

import { createWorld, type TestPerson, type World } from "../test/context.ts";
import { applyEdits } from "./edit.ts";

const refusalOf = (text: string, oldText: string) => {
  try {
    applyEdits(text, [{ oldText, newText: "x" }]);
  } catch (error) {
    if (error instanceof AppError) return error.extra.errors?.[0];
  }
  return undefined;
};

describe("replacement", () => {
  test("is exact: nothing in either text means anything", () => {
    expect(applyEdits("a.b*c", [{ oldText: ".b*", newText: "$& $1 $` $$ \\n" }])).toBe("a$& $1 $` $$ \\nc");
    expect(applyEdits("(x|y)[z]^$", [{ oldText: "(x|y)[z]^$", newText: "" }])).toBe("");
    expect(applyEdits("A\r\nB", [{ oldText: "\r\n", newText: "\n" }])).toBe("A\nB");
    expect(refusalOf("abc", "a.c")).toEqual({ path: "edits.0.oldText", message: "does not occur in the text" });
  });

  test("is unique, overlapping places counted", () => {
    const message = "occurs more than once in the text";
    expect(refusalOf("abcabc", "abc")?.message).toBe(message);
    expect(refusalOf("aaa", "aa")?.message).toBe(message);
    expect(refusalOf("😀😀", "😀")?.message).toBe(message);
  });

  test("goes one after another, each on what the one before left", () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    expect(applyEdits("one", edits)).toBe("three");
    expect(() => applyEdits("one two", edits)).toThrow("edits.1.oldText");
  });

  test("puts the new text where the old one was, for any text", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1 }),
        fc.string(),
        fc.string(),
        (head, oldText, tail, newText) => {
          const text = head + oldText + tail;
          fc.pre(text.indexOf(oldText) === head.length && !text.includes(oldText, head.length + 1));
          expect(applyEdits(text, [{ oldText, newText }])).toBe(head + newText + tail);
        },
      ),
    );
  });
});

describe("an edited version", () => {
  let world: World;
  let owner: TestPerson;
  let project: string;
  beforeAll(async () => {
    world = await createWorld();
    owner = await world.person();
    project = (await world.project(owner.token)).slug;
  });
  afterAll(() => world.close());

  const source = async (artifactId: string) => {
    const { bytes } = (await world.answer("version.content", { artifactId })).value as { bytes: Uint8Array };
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };

  test("keeps all else as it was, a byte order mark too", async () => {
    const { artifactId } = await world.publish(owner.token, project, { content: "\uFEFF# One\r\n" });
    const input = { artifactId, edits: [{ oldText: "One", newText: "Two" }], changelog: "renamed" };
    const version = await world.call("version.edit", input, { as: owner.token });
    expect(version).toMatchObject({ versionNumber: 2, isLatest: true, changelog: "renamed", restoredFrom: null });
    expect(await source(artifactId)).toBe("\uFEFF# Two\r\n");
    expect(version.sha256).toBe(new Bun.CryptoHasher("sha256").update("\uFEFF# Two\r\n").digest("hex"));
  });

  test("is refused where the head is not the one that was edited, before its text is looked at", async () => {
    const { artifactId } = await world.publish(owner.token, project, { content: "one" });
    const edits = [{ oldText: "nowhere", newText: "" }];
    const input = { artifactId, edits, expectedLatestVersion: 5 };
    const refusal = await world.refusal("version.edit", input, { as: owner.token });
    expect(refusal).toMatchObject({ code: "version_conflict", extra: { latestVersion: 1, expectedLatestVersion: 5 } });
  });

  test("of twenty edits of one head at once, no lost one is acknowledged", async () => {
    const { artifactId } = await world.publish(owner.token, project, { content: "" });
    const edit = (index: number) => ({ artifactId, edits: [{ oldText: "end", newText: `${index} end` }] });
    await world.call("version.create", { artifactId, content: "end" }, { as: owner.token });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.call("version.edit", edit(index), { as: owner.token }).then(
          () => index,
          (error: AppError) => error.code,
        ),
      ),
    );
    const done = outcomes.filter((outcome) => typeof outcome === "number");
    expect(outcomes.filter((outcome) => typeof outcome === "string" && outcome !== "version_conflict")).toEqual([]);
    const words = (await source(artifactId)).split(" ").slice(0, -1).map(Number);
    expect(words.toSorted((a, b) => a - b)).toEqual(done.toSorted((a, b) => a - b));
  });

  test("is bounded like any other", async () => {
    const limit = world.instance.config.maxContentBytes;
    const { artifactId } = await world.publish(owner.token, project, { content: "x".repeat(limit - 1) + "y" });
    const edits = [{ oldText: "y", newText: "yy" }];
    expect((await world.refusal("version.edit", { artifactId, edits }, { as: owner.token })).code).toBe(
      "content_too_large",
    );
  });
});
