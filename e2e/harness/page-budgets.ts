// The budgets of a page (docs/reference/experience.md §4, "Budgets"). Knows paths, but not how pages are made.

const kibibyte = 1024;

export const pageBudgets = {
  /** Bytes of script in gzip: for pages that visitors read, and for those in which members work. */
  publicScript: 45 * kibibyte,
  appScript: 110 * kibibyte,
  /** Bytes on the wire: a Markdown artifact with diagrams and its frame. */
  diagramsScript: 60 * kibibyte,
  /** Bytes in gzip. */
  styles: 20 * kibibyte,
  /** Bytes of fonts, those of a document with formulas aside, and how many files they are. */
  fonts: 120 * kibibyte,
  fontFiles: 6,
  /** Milliseconds. */
  largestPaint: 1500,
  interaction: 120,
  layoutShift: 0.01,
  /** Milliseconds until the interactive reference shows an operation, on a processor that is not slowed down. */
  reference: 1000,
  /** API requests. */
  calls: 3,
  deep: 1,
} as const;

/** First path segments that are not a workspace. */
const own = ["login", "settings", "dashboard", "device", "teams", "workspaces", "oauth", "invitations", "share"];

/** The landing page, the search, a workspace, a project, an artifact: pages that visitors read. */
export function isPublicPage(path: string): boolean {
  const parts = path
    .replace(/[?#].*/, "")
    .split("/")
    .filter(Boolean);
  return parts.length <= 3 && !own.includes(parts[0] ?? "");
}

export const scriptBudget = (path: string): number =>
  isPublicPage(path) ? pageBudgets.publicScript : pageBudgets.appScript;
