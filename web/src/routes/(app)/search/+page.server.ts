// The search as a page: without script, and for more than the palette shows.
import { actorWords } from "#messages/actors.ts";
import { artifactTypes } from "@plinth/contract/artifact-lists";
import { ProblemError } from "@plinth/contract/client";
import { datedWords } from "#lib/date-words.ts";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

const sorts = ["best", "updated", "newest"] as const;

export const load: PageServerLoad = async (event) => {
  const { searchParams } = event.url;
  const q = searchParams.get("q")?.trim() ?? "";
  const type = artifactTypes.find((one) => one === searchParams.get("type")) ?? null;
  const { words, said, since, until } = datedWords(q);
  const sort = sorts.find((one) => one === searchParams.get("sort") && (one !== "best" || words !== "")) ?? null;
  const asked = { q, type, sort, said, hasWords: words !== "" };
  if (q === "") return { ...asked, results: [], nextCursor: null, refused: null };
  try {
    const { artifacts, nextCursor } = await clientOf(event).call("artifact.list", {
      ...(words !== "" && { q: words }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(type !== null && { type }),
      ...(sort !== null && { sort }),
      ...pageInput(event.url),
    });
    return {
      ...asked,
      nextCursor,
      refused: null,
      results: artifacts.map((found) => ({
        path: `/${found.ownerUsername}/${found.projectSlug}/${found.slug}`,
        place: `${found.ownerUsername}/${found.projectSlug}`,
        type: found.type,
        title: found.title,
        snippet: found.snippet ?? (found.description === null ? [] : [{ text: found.description, isMatch: false }]),
        by: actorWords(found.latestBy),
        updatedAt: found.updatedAt,
      })),
    };
  } catch (cause) {
    // What can't be searched for is said beside the field; all else is an error page.
    if (!(cause instanceof ProblemError) || cause.problem.status !== 400) return orErrorPage(Promise.reject(cause));
    return {
      ...asked,
      results: [],
      nextCursor: null,
      refused: cause.problem.errors?.[0]?.message ?? cause.problem.detail,
    };
  }
};
