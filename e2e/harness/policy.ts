// Reads a content security policy, so that tests compare what it says and not how it is written.
import type { Answer } from "./http.ts";

/** A policy as its directives, each with its sources in no order. */
export function policyOf(answer: Answer): Record<string, string[]> {
  const directives = (answer.headers.get("content-security-policy") ?? "")
    .split(";")
    .map((text) => text.trim().split(/\s+/));
  return Object.fromEntries(directives.flatMap(([name, ...values]) => (name ? [[name, values.toSorted()]] : [])));
}
