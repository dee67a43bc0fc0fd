// The query of a dashboard in its URL: search, filters, order and view. Invalid values count as absent.
import { searchLength } from "@plinth/contract/limits";
import { artifactSorts, artifactTypes, type ArtifactSort, type ArtifactType } from "@plinth/contract/artifact-lists";

export const visibilities = ["public", "private"] as const;
export const views = ["grid", "list"] as const;

export interface DashboardQuery {
  /** The searched text; empty for everything. */
  q: string;
  type: ArtifactType | null;
  visibility: (typeof visibilities)[number] | null;
  sort: ArtifactSort;
  view: (typeof views)[number];
  cursor: string | null;
}

const usualView = "grid";

/** The order of a list that says none. */
export const usualSort = (q: string): ArtifactSort => (q === "" ? "updated" : "best");

/** Without words there is no best match. */
export const sortsFor = (q: string): readonly ArtifactSort[] =>
  q === "" ? artifactSorts.filter((sort) => sort !== "best") : artifactSorts;

export function dashboardQuery(given: Pick<URLSearchParams, "get">): DashboardQuery {
  const among = <Value extends string>(values: readonly Value[], name: string): Value | null =>
    values.find((value) => value === given.get(name)) ?? null;
  // A field of one line leaves out line breaks.
  const q = [...(given.get("q") ?? "").replaceAll(/[\r\n]/g, "").trim()].slice(0, searchLength).join("");
  return {
    q,
    type: among(artifactTypes, "type"),
    visibility: among(visibilities, "visibility"),
    sort: among(sortsFor(q), "sort") ?? usualSort(q),
    view: among(views, "view") ?? usualView,
    cursor: given.get("cursor"),
  };
}

/** The query of an address, from `?` on; empty where everything is as usual. */
export function dashboardAddress({ q, type, visibility, sort, view, cursor }: DashboardQuery): string {
  const said = {
    q: q.trim(),
    type,
    visibility,
    sort: sort === usualSort(q.trim()) ? null : sort,
    view: view === usualView ? null : view,
    cursor,
  };
  const query = new URLSearchParams(
    Object.entries(said).filter((pair): pair is [string, string] => pair[1] !== null && pair[1] !== ""),
  ).toString();
  return query === "" ? "" : `?${query}`;
}

/** Whether less is asked for than there may be. */
export const isNarrowed = ({ q, type, visibility }: DashboardQuery): boolean =>
  q !== "" || type !== null || visibility !== null;
