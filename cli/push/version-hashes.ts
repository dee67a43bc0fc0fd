// Remembers the hashes of the latest versions that a push of a folder has seen, so that the next one asks only for those
// that are new. A version never changes. Holds no content and no secret.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { digestOf } from "../files/digest.ts";
import { replaceFile } from "../files/replace-file.ts";
import { stateDirectory } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";
import type { Target } from "./journal.ts";

export interface VersionHashes {
  readonly versionNumber: number;
  readonly sha256: string;
  /** Of the files; null where there are none. */
  readonly filesSha256: string | null;
}

export interface RememberedVersions {
  /** Null where that version was not seen. */
  find(artifactId: string, versionNumber: number): VersionHashes | null;
  remember(artifactId: string, hashes: VersionHashes): void;
  /** Writes what was found or remembered since, and forgets the rest. Without a writable place nothing is kept. */
  save(): Promise<void>;
}

/** Characters. */
const longest = 16 * 1024 * 1024;

/** `warn` receives the reason where nothing can be remembered. */
export function rememberedVersions(
  env: Io["env"],
  { origin, owner, projectSlug }: Target,
  warn: (message: string) => void,
): RememberedVersions {
  const name = digestOf(JSON.stringify([origin, owner ?? null, projectSlug])).sha256.slice(0, 32);
  const file = join(stateDirectory(env), "versions", `${name}.json`);
  const known = readKnown();
  const used = new Map<string, VersionHashes>();
  let isChanged = false;
  return {
    find(artifactId, versionNumber) {
      const hashes = known.get(artifactId);
      if (hashes?.versionNumber !== versionNumber) return null;
      used.set(artifactId, hashes);
      return hashes;
    },
    remember(artifactId, hashes) {
      isChanged = true;
      used.set(artifactId, hashes);
    },
    async save() {
      if (!isChanged) return;
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        await replaceFile(file, Object.fromEntries(used));
      } catch (error) {
        fail(error);
      }
    },
  };

  /** None where the file cannot be read: then the service is asked again. */
  function readKnown(): Map<string, VersionHashes> {
    try {
      return read(file);
    } catch (error) {
      fail(error);
      return new Map();
    }
  }

  function fail(error: unknown): void {
    warn(`Versions are not remembered: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws SyntaxError, Error of the system */
function read(file: string): Map<string, VersionHashes> {
  if (!existsSync(file)) return new Map();
  const text = readFileSync(file, "utf8");
  if (text.length > longest) return new Map();
  const found = JSON.parse(text) as Record<string, Partial<VersionHashes> | null>;
  return new Map(
    Object.entries(found).flatMap(([artifactId, hashes]) => {
      const { versionNumber, sha256, filesSha256 = null } = hashes ?? {};
      return typeof versionNumber === "number" && typeof sha256 === "string"
        ? [[artifactId, { versionNumber, sha256, filesSha256 }] as const]
        : [];
    }),
  );
}
