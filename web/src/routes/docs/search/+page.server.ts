// The search of the documentation.
import { docsQueryLength, searchDocs } from "#lib/server/docs/search-docs.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async ({ url }) => {
  const q = (url.searchParams.get("q") ?? "").trim().slice(0, docsQueryLength);
  return { q, results: await searchDocs(q) };
};
