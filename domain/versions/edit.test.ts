import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AppError } from "@plinth/contract/errors";

import { createSetup, type TestPerson, type Setup } from "../test/context.ts";

describe("an edited version", () => {
  let setup: Setup;
  let owner: TestPerson;
  let project: string;
  beforeAll(async () => {
    setup = await createSetup();
    owner = await setup.person();
    project = (await setup.project(owner.token)).slug;
  });
  afterAll(() => setup.close());

  const source = async (artifactId: string) => {
    const { bytes } = (await setup.answer("version.content", { artifactId })).value as { bytes: Uint8Array };
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };

  test("keeps all else as it was, a byte order mark too", async () => {
    const { artifactId } = await setup.publish(owner.token, project, { content: "\uFEFF# One\r\n" });
    const input = { artifactId, edits: [{ oldText: "One", newText: "Two" }], changelog: "renamed" };
    const version = await setup.call("version.edit", input, { as: owner.token });
    expect(version).toMatchObject({ versionNumber: 2, isLatest: true, changelog: "renamed", restoredFrom: null });
    expect(await source(artifactId)).toBe("\uFEFF# Two\r\n");
    expect(version.sha256).toBe(new Bun.CryptoHasher("sha256").update("\uFEFF# Two\r\n").digest("hex"));
  });

  test("is refused where the head is not the one that was edited, before its text is looked at", async () => {
    const { artifactId } = await setup.publish(owner.token, project, { content: "one" });
    const edits = [{ oldText: "nowhere", newText: "" }];
    const input = { artifactId, edits, expectedLatestVersion: 5 };
    const refusal = await setup.refusal("version.edit", input, { as: owner.token });
    expect(refusal).toMatchObject({ code: "version_conflict", extra: { latestVersion: 1, expectedLatestVersion: 5 } });
  });

  test("of twenty edits of one head at once, no lost one is acknowledged", async () => {
    const { artifactId } = await setup.publish(owner.token, project, { content: "" });
    const edit = (index: number) => ({ artifactId, edits: [{ oldText: "end", newText: `${index} end` }] });
    await setup.call("version.create", { artifactId, content: "end" }, { as: owner.token });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        setup.call("version.edit", edit(index), { as: owner.token }).then(
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
    const limit = setup.instance.config.maxContentBytes;
    const { artifactId } = await setup.publish(owner.token, project, { content: "x".repeat(limit - 1) + "y" });
    const edits = [{ oldText: "y", newText: "yy" }];
    expect((await setup.refusal("version.edit", { artifactId, edits }, { as: owner.token })).code).toBe(
      "content_too_large",
    );
  });
});
