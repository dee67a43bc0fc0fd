// The documents of the demo workspace: their authors, versions and ages. Real documents, some of them from the
// rendering tests.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

export type Author = "mara" | "jonas" | "aiko" | "Nightly reports" | "Claude Code";

export interface Edition {
  readonly by: Author;
  readonly changelog?: string;
  readonly hoursAgo: number;
  /** Its text, made from that of the latest version. */
  readonly of?: (last: string) => string;
}

export interface DemoDocument {
  readonly project: "reports" | "issue" | "studio";
  readonly slug: string;
  readonly title: string;
  readonly type: ArtifactType;
  readonly isPrivate?: boolean;
  readonly file: string;
  readonly editions: readonly Edition[];
}

const day = 24;
const without = (heading: string) => (text: string) =>
  text.replace(new RegExp(`^## ${heading}\n[^]*?(?=^## |$(?![^]))`, "m"), "");
const all =
  (...changes: readonly ((text: string) => string)[]) =>
  (text: string) =>
    changes.reduce((changed, change) => change(changed), text);
const instead = (now: string, before: string) => (text: string) => {
  if (!text.includes(now)) throw new Error(`the text has no "${now}"`);
  return text.replace(now, before);
};

const wordsOfTheThird = all(
  without("What we do next"),
  instead("41,200 visits, counted without cookies", "40,900 visits"),
  instead("**half its readers before the first figure**", "many of its readers early on"),
  instead("Where the summary stands first, two in three finish", "A summary keeps more of them"),
  instead("| 58 % | +15 |", "| 55 % | +12 |"),
);

/** The oldest first. */
export const demoDocuments: readonly DemoDocument[] = [
  one("studio", "archive", "The archive moves to object storage", "md", "../screenshots/archive.md", "jonas", 10 * day),
  one(
    "studio",
    "invoice-2026-014",
    "Invoice 2026-014, Meridian Publishing",
    "html",
    "html/invoice.html",
    "jonas",
    9 * day,
    true,
  ),
  one(
    "issue",
    "where-the-water-goes",
    "Where a household's water goes",
    "html",
    "html/water-infographic.html",
    "aiko",
    6 * day,
  ),
  one("issue", "march", "March, day by day", "jsx", "jsx/month-planner.tsx", "mara", 4 * day),
  one("issue", "board", "Board of the spring issue", "jsx", "jsx/kanban-board.jsx", "Claude Code", 2 * day),
  one("reports", "web-traffic", "Traffic of the magazine", "jsx", "jsx/web-analytics.tsx", "Nightly reports", 30),
  one("reports", "sales", "Sales, fiscal year 2025", "jsx", "jsx/sales-dashboard.jsx", "Nightly reports", 7),
  {
    project: "reports",
    slug: "what-readers-finish",
    title: "What readers finish",
    type: "md",
    file: "../screenshots/readers.md",
    editions: [
      {
        by: "Nightly reports",
        hoursAgo: 6 * day,
        of: all(wordsOfTheThird, without("The model"), without("Where they leave")),
      },
      {
        by: "Nightly reports",
        hoursAgo: 3 * day,
        changelog: "Where they leave",
        of: all(wordsOfTheThird, without("The model")),
      },
      { by: "Claude Code", hoursAgo: 26, changelog: "With the model behind it", of: wordsOfTheThird },
      { by: "mara", hoursAgo: 2, changelog: "Plainer words, and what we do next" },
    ],
  },
];

function one(
  project: DemoDocument["project"],
  slug: string,
  title: string,
  type: ArtifactType,
  file: string,
  by: Author,
  hoursAgo: number,
  isPrivate = false,
): DemoDocument {
  return { project, slug, title, type, file, isPrivate, editions: [{ by, hoursAgo }] };
}

/** The text of each edition; the newest is the file's content. */
export async function textsOf({ file, editions }: DemoDocument): Promise<string[]> {
  const text = await readFile(join(import.meta.dir, "../documents", file), "utf8");
  return editions.map(({ of }) => (of === undefined ? text : of(text)));
}
