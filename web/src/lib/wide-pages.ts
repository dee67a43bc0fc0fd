// Which pages take the width of the screen: those that show many things side by side, not texts to read.

const wide = [
  "/(app)/(own)/dashboard",
  "/(app)/[owner]/[project]/[slug]/history",
  "/(app)/(own)/[owner]/[project]/[slug]/edit",
];

export const isWide = (routeId: string | null): boolean => wide.some((start) => routeId?.startsWith(start) ?? false);
