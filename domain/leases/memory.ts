// Rows that a process may answer from memory while it holds a lease, by the name of the request that read them, each
// for a limited time. The module knows neither the database nor the content of a row.
import { createCache } from "@plinth/platform/caches";

import { times, type Clock } from "./protocol.ts";

/** A row, and the artifact whose changes end it. */
interface Remembered<Row> {
  readonly artifactId: string;
  readonly row: Row;
  /** What the database compares to say whether the row is still the same (domain/access/row-versions.ts). */
  readonly versions: string;
  /** The estimated bytes of memory that the row takes. */
  readonly weight: number;
}

/** One statement that reads rows, or compares them; begun before it is sent. */
export interface Reading<Row> {
  /** Remembers a row that the statement read, unless the process was told of a change since it began. */
  keep(name: string, read: Remembered<Row>): void;
  /** Remembers for longer that row, as `find` gave it, which the statement found unchanged. */
  confirm(name: string, row: Row): void;
  end(): void;
}

/** A row whose time ends soon. */
export interface Due<Row> extends Pick<Remembered<Row>, "row" | "versions"> {
  readonly name: string;
}

export interface Memory<Row> {
  /** The row, if the process may answer with it at this moment. */
  find(name: string): Row | null;
  /** Whether the process may answer with this row, as `find` gave it, at this moment. */
  holds(name: string, row: Row): boolean;
  /**
   * The rows in use that are to be confirmed, or to be read again where they have changed; each once. Null where no row is in
   * use.
   */
  due(): Due<Row>[] | null;
  /** Null where the process holds no lease. */
  begin(): Reading<Row> | null;
  /** Forgets the rows of these artifacts, or all of them; also those that are being read. */
  forget(artifactIds: readonly string[] | null): void;
  /** The number of rows. */
  size(): number;
}

interface Entry<Row> extends Remembered<Row> {
  /** When the statement that read or confirmed it last was sent. */
  readAt: number;
  usedAt: number;
  isRenewing: boolean;
}

interface Current {
  readonly readAt: number;
  forgotten: Set<string> | "all";
}

/** `mayAnswer` says whether the process holds a lease at a time of its clock. */
export function createMemory<Row>(clock: Clock, mayAnswer: (now: number) => boolean): Memory<Row> {
  const namesOf = new Map<string, Set<string>>();
  const entries = createCache<Entry<Row>>("leasedRows", {
    sizeCalculation: ({ weight }) => weight,
    dispose({ artifactId }, name, reason) {
      if (reason === "set") return;
      const names = namesOf.get(artifactId);
      names?.delete(name);
      if (names?.size === 0) namesOf.delete(artifactId);
    },
  });
  const readings = new Set<Current>();

  /** Whether the process may answer with the row at this moment; it is in use. */
  function holds(entry: Entry<Row>): boolean {
    // The time is read after the row was chosen: the process may have been stopped before.
    const now = clock.now();
    entry.usedAt = now;
    return now < entry.readAt + times.answers && mayAnswer(now);
  }

  return {
    find(name) {
      const entry = entries.get(name);
      return entry !== undefined && holds(entry) ? entry.row : null;
    },

    holds(name, row) {
      const entry = entries.get(name);
      return entry !== undefined && entry.row === row && holds(entry);
    },

    due() {
      const now = clock.now();
      const found: Due<Row>[] = [];
      let isInUse = false;
      for (const [name, entry] of entries.entries()) {
        if (now >= entry.usedAt + times.inUse) continue;
        isInUse = true;
        if (entry.isRenewing || now < entry.readAt + times.renewsRow) continue;
        entry.isRenewing = true;
        found.push({ name, row: entry.row, versions: entry.versions });
      }
      return isInUse ? found : null;
    },

    begin() {
      const readAt = clock.now();
      if (!mayAnswer(readAt)) return null;
      const reading: Current = { readAt, forgotten: new Set() };
      readings.add(reading);
      return {
        keep(name, given) {
          if (reading.forgotten === "all" || reading.forgotten.has(given.artifactId)) return;
          const known = entries.get(name);
          if (known !== undefined && known.artifactId !== given.artifactId) entries.delete(name);
          // Answers that were made of an equal row stay in use.
          const read =
            known !== undefined && Bun.deepEquals(known.row, given.row, true) ? { ...given, row: known.row } : given;
          entries.set(name, { ...read, readAt, usedAt: known?.usedAt ?? clock.now(), isRenewing: false });
          if (entries.has(name)) namesOf.getOrInsertComputed(read.artifactId, () => new Set<string>()).add(name);
        },
        confirm(name, row) {
          const entry = entries.peek(name);
          // A row that was forgotten and read again since is another one.
          if (entry === undefined || entry.row !== row) return;
          entry.readAt = readAt;
          entry.isRenewing = false;
        },
        end: () => void readings.delete(reading),
      };
    },

    forget(artifactIds) {
      for (const reading of readings) {
        if (artifactIds === null) reading.forgotten = "all";
        else if (reading.forgotten !== "all") for (const one of artifactIds) reading.forgotten.add(one);
      }
      if (artifactIds === null) entries.clear();
      else for (const one of artifactIds) for (const name of [...(namesOf.get(one) ?? [])]) entries.delete(name);
    },

    size: () => entries.size,
  };
}
