import { expect, test } from "bun:test";
import { Glob } from "bun";

import { de, en, formats } from "./formats.ts";
import { languageOf } from "./language.ts";
import { type Messages, messages } from "./messages.ts";
import { richParts } from "./rich.ts";

const withHeaders = (headers: Record<string, string>) => languageOf(new Headers(headers));

test.each([
  ["", "en"],
  ["de", "de"],
  ["de-AT,de;q=0.9,en;q=0.8", "de"],
  ["en-US,en;q=0.9,de;q=0.8", "en"],
  ["fr-FR,fr;q=0.9,de;q=0.5", "de"],
  ["en;q=0.1, de;q=0.2", "de"],
  ["de;q=0, en", "en"],
  ["fr, *;q=0.5", "en"],
  [";;;,,,q=9,de;q=x", "en"],
])("Accept-Language %p is answered in %s", (header, language) => {
  expect(withHeaders({ "accept-language": header })).toBe(language as "en");
});

test("a chosen language goes before the browser's, and an unknown one does not", () => {
  expect(withHeaders({ cookie: "a=b; language=de", "accept-language": "en" })).toBe("de");
  expect(withHeaders({ cookie: "language=fr", "accept-language": "de" })).toBe("de");
  expect(withHeaders({ cookie: "my_language=de" })).toBe("en");
});

test("texts are those of the language that is given; without a page it is English", () => {
  const texts = messages({
    en: {
      save: "Save",
      count: ({ count }: { count: number }) => en.plural(count, { one: "# file", other: "# files" }),
    },
    de: { save: "Speichern", count: ({ count }) => de.plural(count, { one: "# Datei", other: "# Dateien" }) },
  });
  expect([texts().save, texts("de").save]).toEqual(["Save", "Speichern"]);
  expect([texts().count({ count: 1 }), texts("de").count({ count: 1200 })]).toEqual(["1 file", "1.200 Dateien"]);
});

test("dates, times, lists and numbers follow the language", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  const day = "2026-11-28T09:00:00Z";
  const said = (language: "en" | "de") => {
    const format = formats(language);
    return [
      format.number(1234.5),
      format.day(day),
      format.ago(day, now),
      format.ago("2026-11-30T12:00:05Z", now),
      format.until("2026-12-03T12:00:00Z", now),
      format.list(["a", "b", "c"]),
      format.either(["a", "b"]),
      format.duration(3, "day"),
    ];
  };
  expect(said("en")).toEqual([
    "1,234.5",
    "28 November 2026",
    "2 days ago",
    "just now",
    "in 3 days",
    "a, b and c",
    "a or b",
    "3 days",
  ]);
  expect(said("de")).toEqual([
    "1.234,5",
    "28. November 2026",
    "vor 2 Tagen",
    "gerade eben",
    "in 3 Tagen",
    "a, b und c",
    "a oder b",
    "3 Tage",
  ]);
});

test("a rich text has its tags as parts, and what is no tag as text", () => {
  expect(richParts("Read <link>the terms</link> by <name/>: a < b")).toEqual([
    { tag: undefined, text: "Read " },
    { tag: "link", text: "the terms" },
    { tag: undefined, text: " by " },
    { tag: "name", text: "" },
    { tag: undefined, text: ": a < b" },
  ]);
});

const areas = await Promise.all(
  [...new Glob("*.ts").scanSync(import.meta.dirname)]
    .filter((path) => !path.endsWith(".test.ts"))
    .toSorted()
    .map(async (path) => {
      const exported = (await import(`./${path}`)) as Record<string, Partial<Messages<unknown>>>;
      return Object.values(exported).flatMap((value) =>
        value?.languages === undefined ? [] : [[path, value.languages] as const],
      );
    }),
);

test("no text of either language is empty, has straight quotes around words or a space at its end", () => {
  const odd: string[] = [];
  const judge = (path: string, texts: unknown): void => {
    if (typeof texts === "string") {
      if (texts.trim() === "" || texts !== texts.trim() || /"/.test(texts)) odd.push(`${path}: ${texts}`);
    } else if (typeof texts === "object" && texts !== null)
      for (const [name, each] of Object.entries(texts)) judge(`${path} ${name}`, each);
  };
  for (const [path, { en, de }] of areas.flat()) {
    judge(`${path} en`, en);
    judge(`${path} de`, de);
  }
  expect(areas.flat().length).toBeGreaterThan(0);
  expect(odd).toEqual([]);
});

test("each German text has the tags of the English one", () => {
  const tagsOf = (text: unknown) =>
    typeof text === "string"
      ? richParts(text)
          .map(({ tag }) => tag ?? "")
          .filter(Boolean)
          .toSorted()
      : [];
  const differing: string[] = [];
  const compare = (path: string, one: unknown, other: unknown): void => {
    if (typeof one === "object" && one !== null)
      for (const [name, each] of Object.entries(one))
        compare(`${path} ${name}`, each, (other as Record<string, unknown>)[name]);
    else if (String(tagsOf(one)) !== String(tagsOf(other))) differing.push(path);
  };
  for (const [path, { en, de }] of areas.flat()) compare(path, en, de);
  expect(differing).toEqual([]);
});
