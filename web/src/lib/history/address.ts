// The address of a history page: which two versions it compares, and how. Knows nothing of what is in them.

export const tabs = ["source", "rendered", "screenshot"] as const;
export type Tab = (typeof tabs)[number];
export type Layout = "unified" | "split";

/** What an address asks for. */
export interface Asked {
  /** Null where none is held: the version before `to`. */
  readonly pinned: number | null;
  readonly to: number;
  readonly tab: Tab;
  readonly layout: Layout;
  /** Shows what restoring would do before it is done. */
  readonly restores: boolean;
  /** Which version the list of versions begins with; null where it shows the page that has `to`. */
  readonly list: number | null;
  /** The author whose versions the list shows, by identifier; null for all. */
  readonly by: string | null;
  /** Whether the list shows only versions that have a name. */
  readonly named: boolean;
}

/** The two to compare: none to compare with where `to` is the first and nothing is held. */
export const fromOf = ({ pinned, to }: Pick<Asked, "pinned" | "to">): number | null =>
  pinned ?? (to > 1 ? to - 1 : null);

/** Null for what is no version's number; `to` is null where the head is meant. */
export function askedOf(search: URLSearchParams): (Omit<Asked, "to"> & { readonly to: number | null }) | null {
  const [from, to, list] = ["from", "to", "list"].map((name) => numberOf(search.get(name)));
  if (from === undefined || to === undefined || list === undefined) return null;
  return {
    pinned: from,
    to,
    tab: tabs.find((name) => name === search.get("tab")) ?? "source",
    layout: search.get("layout") === "split" ? "split" : "unified",
    restores: search.has("restore"),
    list,
    by: /^[\w-]{1,60}$/.exec(search.get("by") ?? "")?.[0] ?? null,
    named: search.has("named"),
  };
}

/** Null where none is named, undefined for anything but a strict decimal from 1. */
function numberOf(given: string | null): number | null | undefined {
  if (given === null || given === "") return null;
  return /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined;
}

/** The query that asks for this, as a relative address; what is as usual is left out. */
export function addressOf({ pinned, to, tab, layout, restores, list, by, named }: Asked): string {
  const query = new URLSearchParams();
  if (pinned !== null) query.set("from", String(pinned));
  query.set("to", String(to));
  if (tab !== "source") query.set("tab", tab);
  if (layout !== "unified") query.set("layout", layout);
  if (restores) query.set("restore", "");
  if (list !== null) query.set("list", String(list));
  if (by !== null) query.set("by", by);
  if (named) query.set("named", "1");
  return `?${query}`;
}
