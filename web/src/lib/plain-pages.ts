// Pages for whoever comes by to read: plain HTML with one small script (src/plain), without Kit's client. What
// leads to one loads it as a whole.

const plain = new Set<string | null>([
  "/(app)",
  "/(app)/search",
  "/(app)/[owner]",
  "/(app)/[owner]/[project]",
  "/[owner]/[project]/[slug]",
]);

export const isPlain = (routeId: string | null): boolean => plain.has(routeId);
