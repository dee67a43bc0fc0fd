// Pages for passing readers: plain HTML with one small script (src/plain), without Kit's client. What
// leads to one loads it as a whole, and so does what leads to the page on which people pay.

const plain = new Set<string | null>([
  "/(app)",
  "/(app)/search",
  "/(app)/[owner]",
  "/(app)/[owner]/[project]",
  "/[owner]/[project]/[slug]",
  "/docs/[...path]",
  "/docs/search",
]);

const isPlain = (routeId: string | null): boolean => plain.has(routeId);

/** Its forms lead to where people pay, which the policy of no other page allows; a policy comes with a document. */
const paying = "/(app)/(own)/settings/billing";

/** Whether going from one route to another takes a new document. */
export const isLoadedWhole = (to: string | null, from: string | null | undefined): boolean =>
  isPlain(to) || (to === paying && from !== paying);
