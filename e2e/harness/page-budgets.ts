// What a page may weigh and take (docs/reference/experience.md §4, "Budgets"). Knows addresses, and nothing of how
// pages are made.

const kibibyte = 1024;

export const pageBudgets = {
  /** Bytes of script in gzip: of pages for whoever comes by to read, and of those one works in. */
  publicScript: 45 * kibibyte,
  appScript: 110 * kibibyte,
  /** Bytes in gzip. */
  styles: 20 * kibibyte,
  /** Milliseconds. */
  largestPaint: 1800,
  interaction: 150,
  layoutShift: 0.02,
  /** Of the API. */
  calls: 3,
  deep: 1,
} as const;

/** First parts of addresses that are no workspace's. */
const own = ["login", "settings", "dashboard", "device", "teams", "workspaces", "oauth", "invitations", "share"];

/** The landing page, the search, a workspace, a project, an artifact: what one reads without working there. */
export function isPublicPage(path: string): boolean {
  const parts = path
    .replace(/[?#].*/, "")
    .split("/")
    .filter(Boolean);
  return parts.length <= 3 && !own.includes(parts[0] ?? "");
}

export const scriptBudget = (path: string): number =>
  isPublicPage(path) ? pageBudgets.publicScript : pageBudgets.appScript;
