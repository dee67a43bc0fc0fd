import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Flags } from "../flags/flags.ts";
import { fillTarget } from "./fill-target.ts";
import { emptyDirectory } from "../testing/line.ts";

const text = { type: "string", description: "" } as const;
const yes = { type: "boolean", description: "" } as const;
const push: Flags = { owner: text, "project-slug": text, private: yes, public: yes };

async function filled(flags: Record<string, unknown>, known: Flags = push) {
  const directory = emptyDirectory();
  writeFileSync(join(directory, ".plinth.json"), JSON.stringify({ projectSlug: "reports", visibility: "private" }));
  return (await fillTarget({ flags: known }, { flags, positionals: [] }, { directory, env: {} }, null)).values.flags;
}

test("the file's private gives way to either word of the line", async () => {
  expect(await filled({})).toEqual({ "project-slug": "reports", private: true });
  expect(await filled({ public: true })).toEqual({ "project-slug": "reports", public: true });
  expect(await filled({ private: true })).toEqual({ "project-slug": "reports", private: true });
});

test("a command without such a target is left as it is", async () => {
  for (const missing of ["owner", "project-slug"]) {
    const known = Object.fromEntries(Object.entries(push).filter(([name]) => name !== missing));
    expect(await filled({ slug: "a" }, known)).toEqual({ slug: "a" });
  }
});
