// The tokens that id tokens of CI jobs were exchanged for: an id token is exchanged once, so the further commands of a job
// use what the first one got. Kept for the user alone (mode 0600), until they end.
import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parsedJson } from "@plinth/platform/malformed";

import { codeOf, isCode } from "../failure/system-error.ts";
import { withFileLock } from "../files/file-lock.ts";
import { replaceFile } from "../files/replace-file.ts";
import { stateDirectory } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";

export interface ExchangedToken {
  readonly token: string;
  /** ISO 8601; null where the instance did not say it, and then it is not kept. */
  readonly expiresAt: string | null;
}

interface Kept {
  readonly env: Io["env"];
  /** The id token and all that it is exchanged with. */
  readonly parts: readonly string[];
  readonly warn: (message: string) => void;
}

/** A token with less time left is not used for another command. */
const leastLeftMs = 60_000;

/** The token that was kept, or the one that `exchange` gives, which is kept. One process at a time. */
export async function keptOrExchanged({ env, parts, warn }: Kept, exchange: () => Promise<ExchangedToken>) {
  const directory = stateDirectory(env);
  const path = join(directory, "exchanged-tokens.json");
  const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  let exchanging: Promise<ExchangedToken> | null = null;
  const exchanged = (): Promise<ExchangedToken> => (exchanging ??= exchange());
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return await withFileLock(join(directory, "exchanged-tokens.lock"), async () => {
      const tokens = await readTokens(path);
      const kept = tokens.get(key);
      if (kept !== undefined) return kept.token;
      const got = await exchanged();
      if (got.expiresAt === null) return got.token;
      tokens.set(key, got);
      await replaceFile(path, Object.fromEntries(tokens));
      return got.token;
    });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    const { token } = await exchanged();
    warn(`Warning: ${path} cannot be written, so another command of this job needs a new id token`);
    return token;
  }
}

/** Those with time left; none where the file is missing or is not ours. */
async function readTokens(path: string): Promise<Map<string, ExchangedToken>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return new Map();
    throw error;
  }
  const entries = Object.entries(objectOf(text)) as [string, Partial<ExchangedToken> | null][];
  return new Map(
    entries.flatMap(([key, entry]) => {
      const { token, expiresAt } = entry ?? {};
      if (typeof token !== "string" || typeof expiresAt !== "string") return [];
      return Date.parse(expiresAt) - Date.now() > leastLeftMs ? [[key, { token, expiresAt }] as const] : [];
    }),
  );
}

function objectOf(text: string): object {
  const value = parsedJson(text);
  // A file that cannot be read is written again.
  return typeof value === "object" && value !== null ? value : {};
}
