// The entries that the palette shows for a query, and their order. Pure.
import { paletteTexts } from "#messages/palette.ts";
import type { ArtifactType, FoundArtifact } from "@plinth/contract/schemas/artifact";

export interface Entry {
  title: string;
  /** Where it is, or what it is beside its name. */
  hint?: string;
  /** When, for an artifact. */
  note?: string;
  /** What the artifact says about the words that were searched for. */
  snippet?: NonNullable<FoundArtifact["snippet"]>;
  type?: ArtifactType;
  keys?: string;
  /** Where it leads; without one it does something. */
  path?: string;
  run?: () => void;
}

interface Section {
  title: string;
  entries: (Entry & { id: string })[];
}

export interface Known {
  recents: readonly Entry[];
  actions: readonly Entry[];
  workspaces: readonly Entry[];
  projects: readonly Entry[];
  places: readonly Entry[];
  /** What the API found for the query; empty without one. */
  artifacts: readonly Entry[];
}

/** So many of each before anything is typed; of what matches, so many. */
const unasked = { recents: 6, workspaces: 4, projects: 5 };
const most = 6;

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether each word of the query begins a word of the entry. */
export function matches(entry: Entry, query: string): boolean {
  const words = plain(`${entry.title} ${entry.hint ?? ""}`).split(/[\s/·:,.-]+/);
  return plain(query)
    .split(/[\s/]+/)
    .every((asked) => words.some((word) => word.startsWith(asked)));
}

/** `words` are those of the query without its date: with a date, only artifacts are asked for. */
export function sectionsOf(query: string, known: Known, words = query.trim()): Section[] {
  const asked = query.trim();
  const isDated = words !== asked;
  const of = (entries: readonly Entry[], without: number): readonly Entry[] => {
    if (isDated) return [];
    return asked === "" ? entries.slice(0, without) : entries.filter((entry) => matches(entry, asked)).slice(0, most);
  };
  const recents = of(known.recents, unasked.recents);
  const seen = new Set(recents.map(({ path }) => path));
  const all: Entry[] =
    asked === ""
      ? []
      : [{ title: paletteTexts().searchFor({ query: asked }), path: `/search?q=${encodeURIComponent(asked)}` }];
  const sections: [string, readonly Entry[]][] = [
    [paletteTexts().recent, recents],
    [paletteTexts().artifacts, known.artifacts.filter(({ path }) => !seen.has(path))],
    [paletteTexts().onThisPage, of(known.actions, Infinity)],
    [paletteTexts().projects, of(known.projects, unasked.projects)],
    [paletteTexts().workspaces, of(known.workspaces, unasked.workspaces)],
    [paletteTexts().goTo, of(known.places, Infinity)],
    [paletteTexts().more, all],
  ];
  return sections
    .filter(([, entries]) => entries.length > 0)
    .map(([title, entries]) => ({
      title,
      entries: entries.map((entry, index) => ({ ...entry, id: entry.path ?? `${title} ${index}` })),
    }));
}
