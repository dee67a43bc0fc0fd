// The script that Chromium really loads for an artifact's page, the frame's included, as it comes over the wire in gzip.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";

import { openContext } from "./harness/browser.ts";
import type { Instance } from "./harness/instance.ts";
import { createArtifact, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { openSite, type Site } from "./harness/site.ts";

setDefaultTimeout(3 * hung);

let site: Site;
let instance: Instance;
let browser: Browser;
let owner: Person;
let project: string;

beforeAll(async () => {
  site = await openSite();
  ({ instance, browser, owner, projectSlug: project } = site);
});
afterAll(() => site.close());

/** Bytes of script by path, inline scripts of page and frame together under `inline`. */
async function scriptsOf(path: string): Promise<Map<string, number>> {
  const context = await openContext(browser, instance.origin);
  try {
    const page = await context.newPage();
    const weights = new Map<string, number>();
    const waits: Promise<void>[] = [];
    page.on("response", (answer) => {
      if (answer.request().resourceType() !== "script") return;
      waits.push(
        answer
          .body()
          .then(
            (body) => void weights.set(new URL(answer.url()).pathname, Bun.gzipSync(new Uint8Array(body)).byteLength),
          ),
      );
    });
    await page.goto(path, { waitUntil: "load" });
    await page.getByRole("img", { name: "Live" }).waitFor({ state: "visible" });
    // What comes a moment later counts as well.
    await page.waitForTimeout(1000);
    await Promise.all(waits);
    const documents = await Promise.all(page.frames().map((frame) => fetch(frame.url(), { headers: framed })));
    const texts = await Promise.all(documents.map((document) => document.text()));
    const inline = texts.flatMap((text) => [...text.matchAll(inlineScript)].map(([, code = ""]) => code)).join("\n");
    return weights.set("inline", Bun.gzipSync(inline).byteLength);
  } finally {
    await context.close();
  }
}

const framed = { accept: "text/html", "sec-fetch-dest": "iframe" };
const inlineScript = /<script(?![^>]*\b(?:src|type="application\/json")\b)[^>]*>([^]*?)<\/script>/g;
const libraries = /^\/_runtime\/[^/]+\/(?!markdown|guard|report|mount)/;

const sum = (weights: Map<string, number>) => [...weights.values()].reduce((all, bytes) => all + bytes, 0);
const publish = async (type: "md" | "html" | "jsx", content: string, title: string) =>
  new URL((await createArtifact(owner, project, { type, content, title })).url).pathname;

const long = [
  "# Long",
  ...Array.from({ length: 60 }, (_, index) => `## Part ${index}\n\n${"Words to read. ".repeat(40)}`),
]
  .join("\n\n")
  .concat("\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n");

test("a markdown artifact takes 15 KB of script at most, and its source view no more", async () => {
  const path = await publish("md", long, "Long");
  for (const query of ["", "?view=source"]) {
    const weights = await scriptsOf(path + query);
    console.info(path + query, Object.fromEntries(weights));
    expect([...weights.keys()].some((name) => name.startsWith("/_app/immutable/"))).toBe(true);
    expect(sum(weights)).toBeGreaterThan(2000);
    expect(sum(weights)).toBeLessThanOrEqual(15 * 1024);
  }
});

test.each([
  ["html", "<!doctype html><h1>One</h1>"],
  ["jsx", "import { useState } from 'react';\nexport default () => <h1>{useState(1)[0]}</h1>;"],
] as const)("an artifact of %s takes 45 KB at most beside the libraries of its own", async (type, content) => {
  const weights = await scriptsOf(await publish(type, content, type));
  console.info(type, Object.fromEntries(weights));
  for (const name of weights.keys()) if (libraries.test(name)) weights.delete(name);
  expect(sum(weights)).toBeGreaterThan(2000);
  expect(sum(weights)).toBeLessThanOrEqual(45 * 1024);
});
