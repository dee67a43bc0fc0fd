// Keeps likely secrets out of what anyone may read (experience 2, "push"). Says where one is and of what kind, and
// never what it is.
import type { FieldError } from "@plinth/contract/errors";

import type { Values } from "../command.ts";
import type { Context } from "../context.ts";
import { usage } from "../failure.ts";
import { oneLine } from "../output/style.ts";
import type { Push } from "./publish.ts";
import { isPlaceholder, secretKinds } from "./secret-kinds.ts";

/** Of one file; whoever has more knows enough. */
const MAX_FOUND = 20;

export interface LikelySecret {
  readonly kind: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The likely secrets of a text in the order of their places. */
export function likelySecrets(text: string): LikelySecret[] {
  const found: { kind: string; index: number }[] = [];
  for (const { name, pattern, isReal } of secretKinds) {
    let count = 0;
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.["secret"] ?? match[0];
      if (!(isReal ? isReal(secret, match) : !isPlaceholder(secret))) continue;
      found.push({ kind: name, index: match.index });
      if (++count === MAX_FOUND) break;
    }
  }
  found.sort((a, b) => a.index - b.index);
  return placed(found.slice(0, MAX_FOUND), text);
}

function placed(found: readonly { kind: string; index: number }[], text: string): LikelySecret[] {
  let line = 1;
  let start = 0;
  return found.map(({ kind, index }) => {
    for (let end = text.indexOf("\n", start); end >= 0 && end < index; end = text.indexOf("\n", start)) {
      line++;
      start = end + 1;
    }
    return { kind, line, column: index - start + 1 };
  });
}

/**
 * Refuses a push with likely secrets, and warns of one that the line itself says is private: a project's file may say so
 * of a project whose other members nobody has looked at. @throws Failure usage
 */
export function guardSecrets(pushes: readonly Push[], { flags, filled }: Values, tell: Context["progress"]): void {
  if (flags["allow-secrets"] === true) return;
  const saysPrivate = flags["private"] === true && !filled?.has("private");
  const refused: FieldError[] = [];
  for (const { source } of pushes) {
    for (const { kind, line, column } of likelySecrets(source.content)) {
      if (!saysPrivate) refused.push({ path: source.name, message: kind, line, column });
      else tell(`Warning: ${oneLine(source.name)}:${line}:${column} looks like a secret (${kind})`);
    }
  }
  const [first] = refused;
  if (first === undefined) return;
  const files = new Set(refused.map(({ path }) => path));
  const where = files.size === 1 ? `${first.path}, line ${first.line} (${first.message})` : `${files.size} files`;
  throw usage(`Others could read what looks like a secret in ${where}; nothing was sent`, {
    errors: refused.slice(0, 100),
    hint: "Take it out, publish with --private, or add --allow-secrets where it is none",
  });
}
