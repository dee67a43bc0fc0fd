// Edits on and off the main thread: the same text, the same errors, and bounds that hold for any text.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Edit } from "../edits/apply-edits.ts";
import { on } from "../telemetry.ts";
import { closeThreads } from "../threads/pool.ts";
import { createSetup, type Setup, type TestPerson } from "../test/context.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
const inThreads: string[] = [];
const unsubscribe = on({ rendering: ({ renderer }) => void inThreads.push(renderer) });

beforeAll(async () => {
  setup = await createSetup({ maxContentBytes: 4_000_000 });
  owner = await setup.person();
  project = (await setup.project(owner.token)).slug;
});
afterAll(async () => {
  unsubscribe();
  await closeThreads();
  await setup.close();
});

const published = async (content: string) =>
  (await setup.publish(owner.token, project, { type: "html", content })).artifactId;
const edit = (artifactId: string, edits: Edit[]) =>
  setup.call("version.edit", { artifactId, edits }, { as: owner.token });
const refusal = (artifactId: string, edits: Edit[]) =>
  setup.refusal("version.edit", { artifactId, edits }, { as: owner.token });
const editsInThreads = () => inThreads.splice(0).filter((name) => name === "edits").length;
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

const long = `${"a".repeat(100_000)}b`;

describe("edits", () => {
  test("of a short text are applied at once, of a long one in a child process: the same comes of both", async () => {
    for (const [text, inThread] of [
      ["ab", 0],
      [long, 1],
    ] as const) {
      const artifactId = await published(text);
      editsInThreads();
      const version = await edit(artifactId, [{ oldText: "ab", newText: "a$&b" }]);
      expect([version.sha256, editsInThreads()]).toEqual([sha256(text.replace("ab", () => "a$&b")), inThread]);
    }
  });

  test("of a long text are refused in the words of a short one's", async () => {
    const [shortOne, longOne] = [await published("aab"), await published(long)];
    const messageOf = async (artifactId: string, oldText: string) =>
      (await refusal(artifactId, [{ oldText, newText: "" }])).extra.errors?.[0];
    expect(await messageOf(longOne, "x")).toEqual(await messageOf(shortOne, "x"));
    expect((await messageOf(longOne, "a"))?.message).toStartWith("occurs 100 times or more in the text (line 1)");
  });

  test("whose parts are long go to a child process, however short the text is", async () => {
    const artifactId = await published("a".repeat(20_000));
    editsInThreads();
    expect(await refusal(artifactId, [{ oldText: `${"a".repeat(15_000)}b`, newText: "" }])).toMatchObject({
      code: "invalid_request",
    });
    expect(editsInThreads()).toBe(1);
  });

  test("of a dry run are applied before its transaction, once", async () => {
    const artifactId = await published(long);
    editsInThreads();
    const edits = [{ oldText: "b", newText: "c" }];
    const input = { artifactId, edits };
    const tried = await setup.call("version.edit", input, { as: owner.token, dryRun: true });
    expect([tried.versionNumber, editsInThreads()]).toEqual([2, 1]);
  });

  test("times bytes of the text are at most 256 Mi", async () => {
    const artifactId = await published("a".repeat(3_000_000));
    const missing = (count: number) => Array.from({ length: count }, () => ({ oldText: "x", newText: "" }));
    expect((await refusal(artifactId, missing(90))).extra.errors?.[0]).toEqual({
      path: "edits",
      message: "are more than 89, the most for a text of 3000000 bytes: send the whole text instead",
    });
    expect((await refusal(artifactId, missing(89))).extra.errors?.[0]?.path).toBe("edits.0.oldText");
  });
});
