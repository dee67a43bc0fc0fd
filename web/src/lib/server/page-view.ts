// The loads of an artifact's page that count as a view of it. The API counts them, because it sees those of every web
// process.
import { pageViewHeader } from "@plinth/contract/page-view";
import { createCache } from "@plinth/platform/caches";
import { isbot } from "isbot";

/** Browsers that were seen last: matching a name against the list of programs takes longer than the look-up. */
const programs = createCache<boolean>("browserNames");

/** A longer name is no browser's. */
const nameLength = 512;

/**
 * The header that counts the load, for the call that asks for the artifact: a GET of a page that is not prefetched, not
 * inside another page's frame, and not by a program that says what it is. A page that the browser has, and asks about
 * again, is a view as well, because a reader who returns is seen by that alone.
 */
export function pageViewHeaders({ method, headers }: Pick<Request, "method" | "headers">): Record<string, string> {
  const isSeen = method === "GET" && (headers.get("sec-fetch-dest") ?? "document") === "document";
  const isEarly = /prefetch|prerender/.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? "");
  return isSeen && !isEarly && !isProgram(headers.get("user-agent") ?? "") ? { [pageViewHeader]: "1" } : {};
}

function isProgram(name: string): boolean {
  if (name.length > nameLength) return true;
  let verdict = programs.get(name);
  if (verdict === undefined) programs.set(name, (verdict = isbot(name)));
  return verdict;
}
