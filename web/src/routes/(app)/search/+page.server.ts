// The search as a page: for whoever has no script, and for more than the palette shows.
import { ProblemError } from "@plinth/contract/client";
import { clientOf, orErrorPage } from "#lib/server/api.ts";
import { pageInput } from "#lib/server/page-input.ts";
import type { PageServerLoad } from "./$types";

export const csr = false;

export const load: PageServerLoad = async (event) => {
  const q = event.url.searchParams.get("q")?.trim() ?? "";
  if (q === "") return { q, artifacts: [], nextCursor: null, refused: null };
  try {
    const { artifacts, nextCursor } = await clientOf(event).call("artifact.list", { q, ...pageInput(event.url) });
    return {
      q,
      nextCursor,
      refused: null,
      artifacts: artifacts.map(
        ({ ownerUsername, projectSlug, slug, type, title, description, latestVersion, updatedAt }) => ({
          path: `/${ownerUsername}/${projectSlug}/${slug}`,
          place: `${ownerUsername}/${projectSlug}`,
          type,
          title,
          description,
          latestVersion,
          updatedAt,
        }),
      ),
    };
  } catch (cause) {
    // What can't be searched for is said beside the field; all else is an error page.
    if (!(cause instanceof ProblemError) || cause.problem.status !== 400) return orErrorPage(Promise.reject(cause));
    return { q, artifacts: [], nextCursor: null, refused: cause.problem.errors?.[0]?.message ?? cause.problem.detail };
  }
};
