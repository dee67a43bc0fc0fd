// Relevance of search: the share of queries whose first result is the right document, among real documents, for queries
// with known answers, as they are and with a typo in a word of the title. `bun run stress search` asks among 5,000
// documents.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { writeSearchDocuments } from "../jobs/search-document.ts";
import { createSetup, type TestPerson, type Setup } from "../test/context.ts";
import { isForgiven } from "./marks.ts";
import { realDocuments } from "./test/real-documents.ts";
import queries from "./test/search-queries.json" with { type: "json" };
import { wordsIn } from "./words.ts";

/** With fewer the documents of the answers are among them all the same. */
const count = Number(process.env["SEARCH_DOCUMENTS"] ?? 500);
const atOnce = 50;

let setup: Setup;
let owner: TestPerson;
/** The path of each artifact's document, and the title of each document. */
const paths = new Map<string, string>();
const titles = new Map<string, string>();

beforeAll(async () => {
  setup = await createSetup({ maxContentBytes: 512 * 1024 });
  owner = await setup.person();
  const { slug } = await setup.project(owner.token);
  const wanted = new Set(queries.map(({ document }) => document));
  const all = realDocuments(5000);
  const others = all.filter(({ path }) => !wanted.has(path)).slice(0, Math.max(0, count - wanted.size));
  const documents = all.filter((document) => wanted.has(document.path)).concat(others);
  for (let at = 0; at < documents.length; at += atOnce) {
    const made = await Promise.all(
      documents.slice(at, at + atOnce).map(async ({ path, title, content }) => {
        const { artifactId } = await setup.publish(owner.token, slug, { title, content });
        paths.set(artifactId, path);
        titles.set(path, title);
        return artifactId;
      }),
    );
    await writeSearchDocuments(setup.db, made);
  }
}, 900_000);
afterAll(() => setup.close());

/** The place of the document among the results, from 1; none where it is not among the first five. */
async function placeOf(query: string, document: string): Promise<number | null> {
  const { artifacts } = await setup.call("artifact.list", { q: query, limit: 5 }, { as: owner.token });
  const at = artifacts.findIndex(({ artifactId }) => paths.get(artifactId) === document);
  return at === -1 ? null : at + 1;
}

async function shares(asked: readonly { query: string; document: string }[]) {
  const missed: string[] = [];
  const found = { first: 0, firstFive: 0 };
  for (const { query, document } of asked) {
    const place = await placeOf(query, document);
    if (place === 1) found.first++;
    if (place !== null) found.firstFive++;
    if (place !== 1) missed.push(`${query} (${document}): ${place ?? "none"}`);
  }
  const share = (some: number) => some / asked.length;
  console.error(
    `${asked.length} queries among ${paths.size} documents: first in ${found.first}, in the first five in ${found.firstFive}`,
    ...missed.map((line) => `\n  ${line}`),
  );
  return { first: share(found.first), firstFive: share(found.firstFive) };
}

test("each query has a document that is there", () => {
  expect(queries.length).toBe(200);
  expect(queries.filter(({ document }) => !titles.has(document))).toEqual([]);
});

test("the right document is the first in nine of ten queries, and nearly always among the first five", async () => {
  const { first, firstFive } = await shares(queries);
  expect(first).toBeGreaterThanOrEqual(0.9);
  expect(firstFive).toBeGreaterThanOrEqual(0.98);
}, 600_000);

/** The query with one typo in its longest word that the title has; each kind of typo in turn. */
function misspelled(query: string, title: string, index: number): string | null {
  const inTitle = new Set(wordsIn(title));
  const [word] = wordsIn(query)
    .filter((each) => inTitle.has(each) && isForgiven(each))
    .toSorted((a, b) => b.length - a.length);
  if (word === undefined) return null;
  const at = 1 + (index % (word.length - 2));
  const [before, letter, next, after] = [word.slice(0, at), word.charAt(at), word.charAt(at + 1), word.slice(at + 2)];
  const kinds = [
    `${before}${next}${after}`,
    `${before}${letter}${letter}${next}${after}`,
    `${before}${letter === "x" ? "y" : "x"}${next}${after}`,
    `${before}${next}${letter}${after}`,
  ];
  return query.toLowerCase().replace(word, kinds[index % kinds.length] ?? word);
}

test("with a typo in a word of the title it is the first in 85 of 100, and among the first five in 95", async () => {
  const asked = queries.flatMap(({ query, document }, index) => {
    const typed = misspelled(query, titles.get(document) ?? "", index);
    return typed === null || typed === query.toLowerCase() ? [] : [{ query: typed, document }];
  });
  expect(asked.length).toBeGreaterThan(150);
  const { first, firstFive } = await shares(asked);
  expect(first).toBeGreaterThanOrEqual(0.85);
  expect(firstFive).toBeGreaterThanOrEqual(0.95);
}, 600_000);
