// A page of artifacts in one statement: the identifiers of the page and one more, then what is shown of each; of a
// search also why it was found.
import type { ArtifactSort } from "@plinth/contract/artifact-lists";
import { pageLimit } from "@plinth/contract/limits";
import type { Output } from "@plinth/contract/registry";
import { uuidOf } from "@plinth/db/columns";
import { workspace } from "@plinth/db/schema/accounts";
import { artifact, favorite, project as projects, searchDocument, version } from "@plinth/db/schema/artifacts";
import { and, eq, sql, type SQL } from "drizzle-orm";

import { artifactPermissions } from "../access/decide.ts";
import { isPerson } from "../access/principal.ts";
import type { ShownArtifact } from "../access/resource.ts";
import { shownColumns } from "../access/row-columns.ts";
import type { Context } from "../context.ts";
import { pageOf } from "../page.ts";
import type { SearchQuery } from "../search/query.ts";
import { storedQuote, unpackedQuote } from "../storage/quoted-text.ts";
import { beginningOf, hasMatch, snippetOf } from "../search/snippet.ts";
import { directionOf, listOf, placeOf, positionOf, readAfter, scoreIn, type After } from "./list-order.ts";
import { presentArtifact } from "./present.ts";

type Page = Output<"artifact.list">;
type Found = Page["artifacts"][number];

/** `ids` selects rows of `artifact_id`, and of `place` except for the newest first. */
export async function artifactPage(
  context: Context,
  input: { readonly limit?: number; readonly cursor?: string; readonly withFavorite?: boolean },
  order: ArtifactSort,
  ids: (after: After | undefined, count: number) => SQL,
  query: SearchQuery | null = null,
): Promise<Page> {
  const { limit = pageLimit.default, cursor } = input;
  const asked = { isQuoted: query !== null, hasFavorites: input.withFavorite === true };
  const rows = await listed(context, order, ids(readAfter(order, cursor), limit + 1), limit + 1, asked);
  const { shown, nextCursor } = pageOf(listOf(order), rows, limit, (row) => positionOf(order, row));
  const listable = shown.filter(
    (row) => row.deletedAt === null || artifactPermissions(context.principal, row).has("undelete"),
  );
  const reasons = query === null ? [] : await Promise.all(listable.map((row) => whyFound(row, query, order)));
  return {
    artifacts: listable.map((row, index) => ({
      ...presentArtifact(context, row),
      ...(asked.hasFavorites && { isFavorite: row.isFavorite }),
      ...reasons[index],
    })),
    nextCursor,
  };
}

type ListedRow = ShownArtifact & { readonly place: string; readonly stored: Uint8Array | null };

interface Asked {
  readonly isQuoted: boolean;
  readonly hasFavorites: boolean;
}

function listed(context: Context, order: ArtifactSort, ids: SQL, count: number, { isQuoted, hasFavorites }: Asked) {
  const direction = directionOf(order);
  const inOrder = (rows: string): SQL =>
    order === "newest"
      ? sql`${sql.raw(rows)}.artifact_id DESC`
      : sql`${sql.raw(rows)}.place ${direction}, ${sql.raw(rows)}.artifact_id ${direction}`;
  const stored = isQuoted
    ? sql<Uint8Array | null>`(
        SELECT ${storedQuote} FROM ${searchDocument} WHERE ${searchDocument.artifactId} = listed.artifact_id)`
    : sql<null>`NULL::bytea`;
  const isFavorite =
    hasFavorites && isPerson(context.principal)
      ? sql<boolean>`EXISTS (SELECT FROM ${favorite}
          WHERE ${favorite.userId} = ${uuidOf("usr", context.principal.userId)}
            AND ${favorite.artifactId} = listed.artifact_id)`
      : sql<boolean>`false`;
  return context.db.orm
    .select({
      ...shownColumns,
      place: placeOf(order),
      stored,
      isFavorite,
    })
    .from(sql`(SELECT * FROM (${ids}) AS every ORDER BY ${inOrder("every")} LIMIT ${sql.raw(String(count))}) AS listed`)
    .innerJoin(artifact, eq(artifact.artifactId, sql`listed.artifact_id`))
    .innerJoin(
      version,
      and(eq(version.artifactId, artifact.artifactId), eq(version.versionNumber, artifact.latestVersion)),
    )
    .innerJoin(projects, eq(projects.projectId, artifact.projectId))
    .innerJoin(workspace, eq(workspace.workspaceId, artifact.workspaceId))
    .orderBy(inOrder("listed"));
}

/** The parts of a document that have words of the query, and a quote of the text or the description. */
async function whyFound(
  { title, slug, description, stored, place }: ListedRow,
  { words }: SearchQuery,
  order: ArtifactSort,
): Promise<Pick<Found, "snippet" | "matchedIn" | "score">> {
  const text = stored === null ? null : await unpackedQuote(stored);
  const quoted = text === null ? null : snippetOf(text, words);
  const described = description === null ? null : snippetOf(description.normalize("NFKC"), words);
  const isInTitle = hasMatch(`${title}\n${slug}`.normalize("NFKC"), words);
  return {
    snippet: [...(quoted ?? described ?? beginningOf(description ?? text ?? "") ?? [])],
    matchedIn: [
      ...(isInTitle ? (["title"] as const) : []),
      ...(described === null ? [] : (["description"] as const)),
      ...(quoted === null ? [] : (["text"] as const)),
    ],
    ...(order === "best" && { score: scoreIn(place) / 1000 }),
  };
}
