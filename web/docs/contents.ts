// The pages of the documentation in reading order, and the file that each is made of. Pages about REST, errors and the
// command line are made of the registry and of the generated reference (rest-pages.ts, build-docs.ts, command-pages.ts).

import { join } from "node:path";

/** Of the checkout. */
export const root = join(import.meta.dirname, "../..");

/** The reference that the pages of the command line are made of. */
export const commandSource = "docs/command-line.md";

interface ContentsPage {
  /** Below `/docs/`; empty for the first page. */
  readonly path: string;
  /** In the list beside each page. */
  readonly label: string;
  /** Below the root of the checkout; a fragment is the title of a section of the file. */
  readonly source: string;
  /** Whether its examples name this instance in place of `https://plinth.example.com`. */
  readonly isOfInstance?: true;
}

export interface ContentsSection {
  readonly title: string;
  readonly pages: readonly ContentsPage[];
  /** Generated pages that follow. */
  readonly generated?: "cli" | "rest" | "errors";
}

const guide = (path: string, label: string, file = path): ContentsPage => ({
  path,
  label,
  source: `docs/guide/${file}.md`,
  isOfInstance: true,
});

/** A page before it is rendered. */
export interface SourcePage {
  readonly path: string;
  readonly label: string;
  readonly markdown: string;
  /** The file that relative links start from. */
  readonly source?: string;
  readonly isOfInstance?: true;
  /** Not in the list beside the pages. */
  readonly isUnlisted?: true;
}

export const contents: readonly ContentsSection[] = [
  {
    title: "Get started",
    pages: [
      guide("", "Overview", "index"),
      guide("first-steps", "First steps"),
      guide("agents", "Connect an agent"),
      guide("concepts", "Concepts"),
    ],
  },
  {
    title: "Guide",
    pages: [
      guide("publish", "Publish and update"),
      guide("share", "Share"),
      { path: "documents", label: "What documents may use", source: "docs/documents.md" },
      { path: "jsx", label: "JSX modules", source: "docs/jsx-modules.md" },
      { path: "ci", label: "Publish from CI", source: "docs/ci.md", isOfInstance: true },
    ],
  },
  { title: "Command line", pages: [], generated: "cli" },
  { title: "MCP", pages: [{ path: "mcp", label: "Tools", source: "docs/mcp.md", isOfInstance: true }] },
  { title: "REST API", pages: [guide("rest", "Overview")], generated: "rest" },
  { title: "Errors", pages: [], generated: "errors" },
  {
    title: "Self-hosting",
    pages: [
      guide("self-hosting", "Overview"),
      { path: "settings", label: "Settings", source: "docs/hosting.md#Settings" },
      { path: "hosting", label: "Hosting", source: "docs/hosting.md" },
      { path: "operating", label: "Operating", source: "docs/operating.md" },
      { path: "scaling", label: "Scaling", source: "docs/scaling.md" },
      { path: "billing", label: "Billing", source: "docs/billing.md" },
      { path: "screenshots", label: "Screenshots", source: "docs/thumbnails.md" },
    ],
  },
];

/** Sections of files that are no pages, and what says the same. */
export const replaced: Readonly<Record<string, string>> = {
  "README.md#the-command-line": "/docs/first-steps#install-the-command-line",
  "docs/hosting.md#settings": "/docs/settings",
  "docs/command-line.md": "/docs/cli",
};

/** Every file that the documentation is built of. */
export const sourceFiles = (): string[] =>
  [...contents.flatMap(({ pages }) => pages.map(({ source }) => source.split("#", 1)[0] ?? "")), commandSource].map(
    (file) => join(root, file),
  );
