// Text between two rules at the top of a document, and front matter, as the engines that readers have show them.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { eachEngine } from "./harness/engines/each-engine.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";
import { source } from "./harness/text-between-rules.ts";

setDefaultTimeout(2 * hung);

let text: string;
let frontMatter: string;
beforeAll(async () => {
  const instance = await sharedInstance();
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  ({ url: text } = await createArtifact(person, slug, { content: source }));
  ({ url: frontMatter } = await createArtifact(person, slug, { content: "---\ntitle: A: B\n---\n\nRegards\n" }));
});

// One of them by the seed of the run; `TEST_SAMPLES=all bun run test e2e/text-between` has all.
eachEngine("text between rules", (engine) => {
  const shown = async (url: string) => {
    await engine().open(url);
    await engine().until("frame", `document.body?.innerText.includes("Regards")`);
    return engine().evaluate(
      "frame",
      `[...document.querySelectorAll("h1, h2, p, hr")].map(({ localName, innerText }) => localName + ": " + innerText.replace(/\\s*#\\s*$/, "").replace(/\\s+/g, " "))`,
    );
  };

  test("text between rules is there to read", async () => {
    expect(await shown(text)).toEqual([
      "hr: ",
      "h1: Status",
      "p: We ship on Monday.",
      "h2: Two risks remain",
      "p: Regards",
    ]);
  });

  test("front matter with a mistake is hidden", async () => {
    expect(await shown(frontMatter)).toEqual(["p: Regards"]);
  });
});
