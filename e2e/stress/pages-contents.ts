// Documents for the inspected pages: real ones of all three types, under very long titles and titles in foreign
// scripts.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import { createArtifact, type Person } from "../harness/people.ts";
import { repository } from "../harness/process.ts";

interface Document {
  readonly type: ArtifactType;
  readonly title: string;
  readonly file: string;
  readonly isPrivate?: boolean;
}

/** Their slugs are `doc-0` and so on, by their index. */
const documents: readonly Document[] = [
  {
    type: "jsx",
    title: "Quarterly revenue, by region and product line",
    file: "e2e/documents/jsx/sales-dashboard.jsx",
  },
  { type: "jsx", title: "Kanban board for the launch", file: "e2e/documents/jsx/kanban-board.jsx" },
  { type: "md", title: "תקציר מנהלים: תוצאות הרבעון השלישי", file: "docs/scaling.md", isPrivate: true },
  { type: "md", title: "界面设计评审".repeat(33), file: "docs/hosting.md" },
  { type: "html", title: "Invoice 2026-117", file: "e2e/documents/html/invoice.html" },
  { type: "md", title: "How we test what must never break", file: "ARCHITECTURE.md" },
];

/** Publishes all of them, markdown in three versions, so that there is a history. */
export async function publishDocuments(person: Person, projectSlug: string): Promise<void> {
  for (const [index, { type, title, file, isPrivate = false }] of documents.entries()) {
    const content = await readFile(join(repository, file), "utf8");
    const { artifactId } = await createArtifact(person, projectSlug, {
      ownerUsername: person.username,
      slug: `doc-${index}`,
      type,
      title,
      content,
      access: { publicView: !isPrivate, publicEdit: false },
    });
    if (type !== "md") continue;
    for (const changelog of ["Figures of November", "What the review asked for"])
      await person.client.call("version.create", {
        artifactId,
        content: `${content}\n\n## ${changelog}\n\nChanged in ${changelog.length} places.\n`,
        changelog,
      });
  }
}
