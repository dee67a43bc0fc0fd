// The diagrams of a document and their drawings, for a caller in the server, within a limit of processor time.
import type { DiagramSource } from "../render/diagrams/sources.ts";
import type { Drawing, MadeDrawing } from "../render/diagrams/drawing.ts";
import { packText } from "../storage/pack.ts";
import type { Work } from "./fair-queue.ts";
import { runInThread } from "./pool.ts";
import { ThreadFailure, ThreadTimeout } from "./thread-errors.ts";

const CPU_LIMIT_MS = 3_000;

/** The sources of a rendered document; none where it takes too long. @throws busy */
export const diagramsOf = (html: string, work: Work): Promise<readonly DiagramSource[]> =>
  orNone(async () => runInThread("diagrams", { content: await packText(html) }, { work, cpuMs: CPU_LIMIT_MS }));

/** What a browser drew, made safe; none where it takes too long. @throws busy */
export const drawingsOf = (made: readonly MadeDrawing[], work: Work): Promise<readonly Drawing[]> =>
  orNone(async () =>
    runInThread("drawings", { content: await packText(JSON.stringify(made)) }, { work, cpuMs: CPU_LIMIT_MS }),
  );

async function orNone<Result>(run: () => Promise<readonly Result[]>): Promise<readonly Result[]> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ThreadTimeout || error instanceof ThreadFailure) return [];
    throw error;
  }
}
