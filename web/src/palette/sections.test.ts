import { expect, test } from "bun:test";
import { matches, sectionsOf, type Known } from "./sections.ts";

const known: Known = {
  recents: [{ title: "Résumé of October", hint: "ada/notes", path: "/ada/notes/october" }],
  actions: [{ title: "Copy link", keys: "c" }],
  workspaces: [{ title: "Acme", hint: "acme", path: "/dashboard/acme" }],
  projects: [{ title: "Notes", hint: "ada/notes", path: "/ada/notes" }],
  places: [{ title: "API keys", hint: "Settings", path: "/settings/keys" }],
  artifacts: [],
};
const titles = (query: string, more: Partial<Known> = {}) =>
  sectionsOf(query, { ...known, ...more }).map(({ title, entries }) => [title, ...entries.map((each) => each.title)]);

test("before anything is typed, what one looked at comes first", () => {
  expect(titles("  ").map(([title]) => title)).toEqual(["Recent", "On this page", "Projects", "Workspaces", "Go to"]);
});

test("each word begins a word, with any accents and case", () => {
  expect(matches({ title: "Résumé of October" }, "resume OCT")).toBe(true);
  expect(matches({ title: "Résumé of October" }, "sume")).toBe(false);
  expect(matches({ title: "Notes", hint: "ada/notes" }, "ada/no")).toBe(true);
});

test("what was found stands once, even where it was looked at before", () => {
  const found = [
    { title: "Résumé of October", path: "/ada/notes/october" },
    { title: "October report", path: "/x/y/z" },
  ];
  expect(titles("oct", { artifacts: found })).toEqual([
    ["Recent", "Résumé of October"],
    ["Artifacts", "October report"],
    ["More", "Search everything for “oct”"],
  ]);
});

test("with a date only artifacts are asked for, and what was looked at does not stand in their place", () => {
  const found = [{ title: "Résumé of October", path: "/ada/notes/october" }];
  expect(sectionsOf("last month october", { ...known, artifacts: found }, "october").map(({ title }) => title)).toEqual(
    ["Artifacts", "More"],
  );
});

test("a query goes to the search page whole", () => {
  const [more] = sectionsOf("a&b #1", { ...known, recents: [] }).slice(-1);
  expect(more?.entries[0]?.path).toBe("/search?q=a%26b%20%231");
});

test("entries have distinct names, and actions run", () => {
  const ids = sectionsOf("", known).flatMap(({ entries }) => entries.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
