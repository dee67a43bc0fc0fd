// The missing references in the answers of every publish and of the preview, the documents that the caller can see, and what is
// said where it is not known in time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { missingListed } from "@plinth/contract/limits";
import type { Missing } from "@plinth/contract/schemas/artifact";

import { createSetup, type Caller, type Setup, type TestPerson } from "../test/context.ts";
import { closeThreads } from "../threads/pool.ts";

let setup: Setup;
let owner: TestPerson;
let project: string;
let as: { readonly as: Caller };
beforeAll(async () => {
  setup = await createSetup();
  owner = await setup.person();
  as = { as: owner.token };
  project = (await setup.project(owner.token)).slug;
});
afterAll(async () => {
  await closeThreads();
  await setup.close();
});

const picture = (path: string, line = 1) => ({ path, line, kind: "file" as const });
const link = (path: string, line = 1) => ({ path, line, kind: "link" as const });
const missing = (...references: Missing["references"]): Missing => ({ count: references.length, references });
const previewed = async (artifactId: string, manner: { readonly as?: Caller } = as) =>
  (await setup.call("artifact.preview", { artifactId }, manner)).missing;

async function upload(text: string): Promise<string> {
  const file = new TextEncoder().encode(text);
  const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
  await setup.call("file.upload", { workspaceId: owner.workspaceId, sha256 }, { ...as, file });
  return sha256;
}

const text = "# Report\n\n![chart](img/blue.png)\n\nSee [the plan](./nothing.md).\n";
const both = missing(picture("img/blue.png", 3), link("./nothing.md", 5));

describe("every publish", () => {
  test("create, in a workspace too, and the preview of what was created", async () => {
    const made = await setup.publish(owner.token, project, { content: text });
    expect(made.missing).toEqual(both);
    expect(await previewed(made.artifactId)).toEqual(both);
    const { workspaceId } = owner;
    const access = { publicView: true, publicEdit: false };
    const input = { workspaceId, projectSlug: project, slug: setup.name("a"), type: "md" as const, title: "T", access };
    expect((await setup.call("artifact.createInWorkspace", { ...input, content: text }, as)).missing).toEqual(both);
  });

  test("a new version, an edit, and at an address", async () => {
    const { artifactId, slug } = await setup.publish(owner.token, project);
    expect((await setup.call("version.create", { artifactId, content: text }, as)).missing).toEqual(both);
    const edits = [{ oldText: "./nothing.md", newText: "https://example.com" }];
    const edited = await setup.call("version.edit", { artifactId, edits }, as);
    expect(edited.missing).toEqual(missing(picture("img/blue.png", 3)));
    const put = { owner: owner.username, projectSlug: project, slug, type: "md" as const, title: "T" };
    const updated = await setup.call("artifact.put", { ...put, content: `${text}[more](more.md)\n` }, as);
    expect(updated.missing).toEqual(missing(picture("img/blue.png", 3), link("./nothing.md", 5), link("more.md", 6)));
    const created = await setup.call("artifact.put", { ...put, slug: setup.name("new"), content: text }, as);
    expect([created.created, created.missing]).toEqual([true, both]);
  });

  test("dry runs say the same, and a repeated request its first answer", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const dry = await setup.call("version.create", { artifactId, content: text }, { ...as, dryRun: true });
    expect([dry.dryRun, dry.missing]).toEqual([true, both]);
    const once = { ...as, idempotencyKey: "once" };
    for (let time = 0; time < 2; time++)
      expect((await setup.call("version.create", { artifactId, content: text }, once)).missing).toEqual(both);
  });

  test("html and jsx, with the style sheet that has a reference", async () => {
    const files = [{ path: "css/site.css", sha256: await upload("p {}\nbody { background: url(bg.png) }") }];
    const content = '<link rel=stylesheet href="css/site.css">\n<img src="gone.png">';
    const page = await setup.publish(owner.token, project, { type: "html", content, files });
    const all = missing(picture("gone.png", 2), { ...picture("bg.png", 2), file: "css/site.css" });
    expect(page.missing).toEqual(all);
    expect(await previewed(page.artifactId)).toEqual(all);
    const jsx = 'export default () => <p><img src="logo.png" /><a href="./lost">x</a></p>;';
    const app = await setup.publish(owner.token, project, { type: "jsx", content: jsx });
    expect(app.missing).toEqual(missing(picture("logo.png"), link("./lost")));
  });

  test("nothing is said where all is there: uploaded files, kept ones too, and text without references", async () => {
    const files = [{ path: "img/blue.png", sha256: await upload("a picture") }];
    const made = await setup.publish(owner.token, project, { content: "![x](img/blue.png)", files });
    expect("missing" in made).toBe(false);
    const { artifactId } = made;
    const next = await setup.call("version.create", { artifactId, content: "![again](img/blue.png)\n" }, as);
    expect("missing" in next).toBe(false);
    expect(await previewed(artifactId)).toEqual(missing());
    const without = await setup.call(
      "version.create",
      { artifactId, content: "![again](img/blue.png)\n\n", files: [] },
      as,
    );
    expect(without.missing).toEqual(missing(picture("img/blue.png")));
    const plain = await setup.publish(owner.token, project);
    expect(["missing" in plain, await previewed(plain.artifactId)]).toEqual([false, missing()]);
  });

  test("of many, the first are listed and all counted", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => (n % 2 ? `![x](${n}.png)` : `[x](${n}.md)`)).join("\n\n");
    const made = await setup.publish(owner.token, project, { content: lines });
    expect([made.missing?.count, made.missing?.references.length]).toEqual([40, missingListed]);
    expect(made.missing?.references.slice(0, 2)).toEqual([link("0.md", 1), picture("1.png", 3)]);
  });
});

describe("links", () => {
  let there: string;
  beforeAll(async () => {
    there = (await setup.project(owner.token)).slug;
    const access = { publicView: false, publicEdit: false };
    await setup.publish(owner.token, there, { sourcePath: "guide/Setup.md", title: "Setup" });
    await setup.publish(owner.token, there, { slug: "week-47" });
    await setup.publish(owner.token, there, { sourcePath: "docs/README.md" });
    await setup.publish(owner.token, there, { slug: "hidden", sourcePath: "secret.md", access });
    const { artifactId } = await setup.publish(owner.token, there, { slug: "before" });
    await setup.call("artifact.patch", { artifactId, slug: "after" }, as);
  });

  test.each([
    ["guide/setup.md", "found by its source path in any case"],
    ["guide/Setup", "without its extension"],
    ["week-47.md", "by its slug"],
    ["docs/", "a folder, by its first page"],
    ["before", "by a former slug"],
    ["secret.md", "private, for its owner"],
    ["./", "the page of the project"],
    ["feed.atom", "the feed of the project"],
    ["week-47/history", "a page of a document"],
    ["../other-project/page.md", "another project, which is not looked at"],
    ["/anything", "a path from the root"],
  ])("a link to %s leads somewhere: %s", async (path) => {
    const made = await setup.publish(owner.token, there, { content: `[x](${path})` });
    expect("missing" in made).toBe(false);
  });

  test.each(["guide/other.md", "guide", "../README.md", "../../up.md"])("a link to %s leads nowhere", async (path) => {
    const made = await setup.publish(owner.token, there, { content: `[x](${path})` });
    expect(made.missing).toEqual(missing(link(path)));
  });

  test("from a folder, and to the document itself before it is there", async () => {
    const slug = setup.name("self");
    const content = `[up](../week-47) [beside](setup.md) [root](week-47.md#x) [own](more.md) [slug](../${slug}) [no](../../x.md)`;
    const made = await setup.publish(owner.token, there, { slug, sourcePath: "guide/more.md", content });
    expect(made.missing).toEqual(missing(link("../../x.md")));
  });

  test("a private document is as good as none for a caller who cannot see it", async () => {
    const access = { publicView: true, publicEdit: true };
    const content = "[hidden](hidden) [secret](secret.md) [none](none.md)";
    const { artifactId } = await setup.publish(owner.token, there, { content, access });
    expect(await previewed(artifactId)).toEqual(missing(link("none.md")));
    const all = missing(link("hidden"), link("secret.md"), link("none.md"));
    expect(await previewed(artifactId, {})).toEqual(all);
    const stranger = { as: (await setup.person()).token };
    expect(await previewed(artifactId, stranger)).toEqual(all);
    const edited = await setup.call("version.create", { artifactId, content: `${content}\n` }, stranger);
    expect(edited.missing).toEqual(all);
  });

  test("a deleted document is gone, and a key that may not read is told of files alone", async () => {
    const { artifactId } = await setup.publish(owner.token, there, { slug: "leaves" });
    await setup.call("artifact.delete", { artifactId }, as);
    expect((await setup.publish(owner.token, there, { content: "[x](leaves)" })).missing).toEqual(
      missing(link("leaves")),
    );
    const key = await setup.key(owner.userId, ["artifacts:create"]);
    const made = await setup.publish(key, there, { content: "[x](leaves) ![y](y.png)" });
    expect(made.missing).toEqual(missing(picture("y.png")));
  });
});

describe("what it costs", () => {
  test("a text without references asks the database nothing more, one with links asks once", async () => {
    const publish = (content: string) => setup.publish(owner.token, project, { content });
    const plain = await setup.statementsOf(() => publish("# Plain [a](https://example.com) [b](#b)"));
    expect(await setup.statementsOf(() => publish("![x](lost-1.png)"))).toBe(plain);
    expect(await setup.statementsOf(() => publish("[x](lost-1.md) [y](lost-2.md)"))).toBe(plain + 1);
  });

  test("where it takes longer than a publish waits, the answer says that it is not known", async () => {
    const config = { ...setup.instance.config, renderWaitMs: 0 };
    const input = { projectSlug: project, slug: setup.name("slow"), type: "md", title: "T", content: `${text}slow` };
    const access = { publicView: true, publicEdit: false };
    const answer = await setup.answerOf({ ...setup.instance, config }, "artifact.create", { ...input, access }, as);
    const { artifactId, missing: told } = answer.value as { artifactId: string; missing?: Missing | null };
    expect(told).toBeNull();
    expect(await previewed(artifactId)).toEqual(both);
  });
});
