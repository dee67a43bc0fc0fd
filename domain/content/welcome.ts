// The document that comes with Plinth, in three versions, so that every instance can show one before the first publish.
// It is served like any other: the same document, headers and sandbox (docs/decisions/content-isolation.md, "Welcome
// document").
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { notFound } from "../access/refusals.ts";
import type { FramedVersion } from "./framed-version.ts";

const versions: readonly FramedVersion[] = [1, 2, 3].map((number) => {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "welcome", `${number}.html`)));
  return {
    artifact: {
      type: "html",
      title: "Latency, third quarter",
      workspaceId: "",
      ownerUsername: "ada",
      projectSlug: "notes",
      sourcePath: null,
    },
    version: { sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex") },
    bytes,
  };
});

/** @throws not_found */
export function welcomeVersion(number: number): FramedVersion {
  const version = versions[number - 1];
  if (version === undefined) throw notFound();
  return version;
}
