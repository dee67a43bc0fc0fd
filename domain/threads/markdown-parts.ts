// The formulas and the code of a long document, made in parts: each is a task with a separate place in the queue, so that other
// documents get their turn in between. Bounds count work and grow with the text; a piece beyond them is shown as it was written.
import {
  asWritten,
  languageWork,
  type Layout,
  leftBecause,
  partWork,
  type Piece,
  workOf,
} from "../render/markdown/pieces.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import type { MadePieces } from "./tasks.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

/** Pieces that were made before, by their keys. */
export interface KnownPieces {
  readonly find: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly remember: (key: string, html: string) => void;
}

export interface Progress {
  /** The HTML of each piece that is made, in their order. */
  readonly made: readonly (string | undefined)[];
  /** Parts that are still to be made. */
  readonly left: number;
}

interface Making {
  readonly work: Work;
  readonly known: KnownPieces | null;
  readonly onPart: (progress: Progress) => void;
  /** Another one in tests. */
  readonly run?: typeof inThread;
}

/** Of a document, in the units of `workOf`. */
const mostWork = 20_000_000;
/** Processor time of one part: its process is ended after that. */
const partCpuMs = 3_000;
/** Processor time of a document, some times what its work takes, for text that is made to be slow. */
const mostCpuMs = (characters: number): number => Math.min(30_000, 6_000 + characters / 40);
/** Processes that may be ended for pieces of one document. */
const mostFailures = 8;

const inThread = (pieces: readonly Piece[], work: Work): Promise<MadePieces> =>
  runInThread("pieces", { pieces }, { work, cpuMs: partCpuMs });

/** The pieces in parts, each of one language or of formulas, in the order of the document; those beyond its work are left out. */
export function partsOf(pieces: readonly Piece[], isMissing: (index: number) => boolean): number[][] {
  const parts: number[][] = [];
  const open = new Map<string, { part: number[]; work: number }>();
  let work = 0;
  for (const [index, piece] of pieces.entries()) {
    const { language } = piece;
    const before = open.get(language);
    const own = workOf(piece) + (before === undefined && language !== "" ? languageWork : 0);
    if (work + own > mostWork) continue;
    work += own;
    const current = before !== undefined && before.work + own <= partWork ? before : { part: [], work: 0 };
    if (current.part.length === 0 && isMissing(index)) parts.push(current.part);
    if (isMissing(index)) current.part.push(index);
    current.work += own;
    open.set(language, current);
  }
  return parts;
}

/**
 * The HTML of each piece; undefined for those beyond the document's bounds.
 * @throws busy, with what was made remembered
 */
export async function makeInParts(
  { pieces, mostCharacters }: Layout,
  begun: readonly string[],
  sourceLength: number,
  { work, known, onPart, run = inThread }: Making,
): Promise<readonly (string | undefined)[]> {
  const earlier = (await known?.find(pieces.map(({ key }) => key))) ?? new Map<string, string>();
  const made = pieces.map(({ key }, index) => begun[index] ?? earlier.get(key));
  const room = { cpuMs: mostCpuMs(sourceLength), failures: mostFailures, characters: mostCharacters };
  for (const html of made) room.characters -= html?.length ?? 0;

  async function make(part: readonly number[]): Promise<void> {
    for (let rest = part; rest.length > 0;) {
      if (room.cpuMs <= 0 || room.failures <= 0 || room.characters <= 0) return;
      const answer = await run(
        rest.flatMap((index) => pieces[index] ?? []),
        work,
      ).catch((error: unknown) => {
        if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return null;
        throw error;
      });
      if (answer === null) {
        room.failures--;
        return leaveOut(rest);
      }
      room.cpuMs -= answer.cpuMs;
      for (const [place, html] of answer.made.entries()) keep(rest[place], html);
      rest = rest.slice(answer.made.length);
    }
  }

  function keep(index: number | undefined, html: string): void {
    const piece = index === undefined ? undefined : pieces[index];
    if (index === undefined || piece === undefined) return;
    made[index] = html;
    room.characters -= html.length;
    known?.remember(piece.key, html);
  }

  /** One of the pieces ended the process: the others are made without it. */
  async function leaveOut(part: readonly number[]): Promise<void> {
    const [only, ...others] = part;
    const piece = only === undefined ? undefined : pieces[only];
    if (piece !== undefined && others.length === 0) return keep(only, asWritten(piece, leftBecause.slow));
    const half = Math.ceil(part.length / 2);
    await make(part.slice(0, half));
    await make(part.slice(half));
  }

  const parts = partsOf(pieces, (index) => made[index] === undefined);
  for (const [number, part] of parts.entries()) {
    await make(part);
    onPart({ made, left: parts.length - number - 1 });
  }
  return made;
}
