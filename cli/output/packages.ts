// The packages of a version in sentences: what is missing first, with the reason and a remedy.
import type { UsedPackage, VersionPackages } from "@plinth/contract/schemas/package";

import { oneLine, type Style } from "../terminal/style.ts";

export function packagesText(value: unknown, style: Style): string {
  const { packages } = value as VersionPackages;
  if (packages.length === 0) return "It loads no packages";
  return packages.map((used) => linesOf(used, style).join("\n")).join("\n");
}

function linesOf({ name, version, urls, state, reason, remedy }: UsedPackage, { paint }: Style): string[] {
  const called = oneLine([name ?? urls[0], version].filter((part) => part !== null).join(" "));
  const asked = urls.filter((url) => url !== name && called !== url).map((url) => paint("dim", `  ${oneLine(url)}`));
  if (state === "kept") return [called, ...asked];
  if (state === "fetching") return [`${called} ${paint("yellow", "is being fetched")}`, ...asked];
  return [
    `${called} ${paint("red", "is missing")}`,
    ...asked,
    ...[reason, remedy].flatMap((text) => (text === null ? [] : [`  ${oneLine(text)}`])),
  ];
}
