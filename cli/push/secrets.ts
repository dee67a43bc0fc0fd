// Keeps likely secrets out of what anyone may read (docs/reference/experience.md §2, "push"). Says where one is and of
// what kind, and never what it is.
import type { FieldError } from "@plinth/contract/errors";
import { likelySecrets } from "@plinth/contract/publishing/likely-secrets";

import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import { oneLine } from "../terminal/style.ts";
import type { Push } from "./push.ts";

/**
 * Refuses a push with likely secrets, and warns of one that the line itself says is private: a project's file may say so
 * of a project whose other members the user has not checked. @throws Failure usage
 */
export function guardSecrets(pushes: readonly Push[], { flags, filled }: Values, warn: Context["progress"]): void {
  if (flags["allow-secrets"] === true) return;
  const saysPrivate = flags["private"] === true && !filled?.has("private");
  const refused: FieldError[] = [];
  for (const { path, secrets } of textsOf(pushes)) {
    for (const { kind, line, column } of secrets) {
      if (!saysPrivate) refused.push({ path, message: kind, line, column });
      else warn(`Warning: ${oneLine(path)}:${line}:${column} looks like a secret (${kind})`);
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

/** The documents and the files that go with them, each once. */
function textsOf(pushes: readonly Push[]) {
  const files = new Map(pushes.flatMap(({ found }) => found?.files ?? []).map((file) => [file.place, file]));
  return [
    ...pushes.map(({ source }) => ({ path: source.name, secrets: likelySecrets(source.content) })),
    ...[...files.values()].map(({ path, secrets }) => ({ path, secrets })),
  ];
}
