// Each line of the guides that is this command line's is one that it takes: run as it stands, it sends nothing wrong.
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { llmsText } from "@plinth/contract/guides/llms";
import { skillText } from "@plinth/contract/guides/skill";

import { commands } from "../catalogue.ts";
import { emptyDirectory, json, line } from "../testing/line.ts";

const publicUrl = "https://plinth.example";
const guides = { "llms.txt": llmsText(publicUrl), "SKILL.md": skillText(publicUrl) };

/** Lines of shell, and what is in backquotes. */
const linesOf = (text: string): string[] => [
  ...[...text.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, lines = ""]) => lines.trim().split("\n")),
  ...[...text.replaceAll(/\n(?! *\n)/g, " ").matchAll(/`(plinth [^`]+)`/g)].map(([, found = ""]) => found),
];

for (const [name, text] of Object.entries(guides))
  test.each(linesOf(text).map((found) => [found]))(`${name}: %s`, async (found) => {
    const words = found
      .split(/\s+/)
      .slice(1)
      .map((word) =>
        word.startsWith("<") ? ({ "<file>": "week-47.md", "<folder>": "docs" }[word] ?? "reports") : word,
      );
    const command = commands
      .filter(({ path, short = path }) => [path, short].some((name) => `${words.join(" ")} `.startsWith(`${name} `)))
      .toSorted((a, b) => b.path.length - a.path.length)[0];
    if (command === undefined) throw new Error(`no command begins ${found}`);
    const directory = emptyDirectory();
    writeFileSync(join(directory, "week-47.md"), "# Week 47\n");
    mkdirSync(join(directory, "docs"));
    writeFileSync(join(directory, "docs/guide.md"), "# Guide\n");
    mkdirSync(join(directory, "playwright-report"));
    writeFileSync(join(directory, "playwright-report/index.html"), "<p>Passed</p>\n");
    const { code, error } = await line(words, {
      directory,
      env: { SERVICE_BASE_URL: publicUrl, SERVICE_TOKEN: "plk_token", SERVICE_NO_INPUT: "1" },
      answer: () => json({ error: "none" }, 404),
    });
    // For any answer the line itself was valid: exit 2 is an invalid one.
    expect({ found, code, error: code === 2 ? error : null }).toMatchObject({ error: null });
  });

test("there are lines in both", () => {
  expect(linesOf(guides["llms.txt"]).length).toBeGreaterThan(1);
  expect(linesOf(guides["SKILL.md"]).length).toBeGreaterThan(12);
});
