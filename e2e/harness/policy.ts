// Parses a content security policy, so that tests compare its meaning and not its spelling.
import type { Answer } from "./http.ts";

/** The directives of a policy, each with its sorted sources. */
export function policyOf(answer: Answer): Record<string, string[]> {
  const directives = (answer.headers.get("content-security-policy") ?? "")
    .split(";")
    .map((text) => text.trim().split(/\s+/));
  return Object.fromEntries(directives.flatMap(([name, ...values]) => (name ? [[name, values.toSorted()]] : [])));
}
