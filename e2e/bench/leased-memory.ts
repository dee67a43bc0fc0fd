// What public artifacts under a lease cost the memory of a process: its resident memory after reads of one artifact, and after
// reads of very many. Linux only.
import { readFileSync } from "node:fs";

import { encodeId } from "@plinth/contract/ids";
import { SQL } from "bun";

import { contentPath, artifactPath } from "./figures.ts";
import { load } from "./measure.ts";
import { openSide } from "./scale-side.ts";

export interface LeasedMemoryFigure {
  readonly artifacts: number;
  /** Resident bytes of the process after as many reads of one artifact. */
  readonly ofOne: number;
  /** After reads of all of them. */
  readonly ofAll: number;
}

const connections = 32;
/** Milliseconds until the garbage of the last requests is collected. */
const settledMs = 10_000;

export async function measureLeasedMemory(folder: string, artifacts: number): Promise<LeasedMemoryFigure> {
  const side = await openSide(folder, { artifacts, versionsEach: 1, workspaces: 1000 }, {});
  const database = new SQL(side.server.url, { max: 1 });
  const rows = (await database.unsafe(
    "UPDATE artifact SET public_view = true WHERE deleted_at IS NULL RETURNING artifact_id",
  )) as { artifact_id: string }[];
  await database.close();
  const { instance } = side;
  const ids = rows.map(({ artifact_id }) => encodeId("art", artifact_id));
  const readAll = async (shown: readonly string[]) => {
    for (const pathOf of [contentPath, contentPath, artifactPath, artifactPath]) {
      const measureMs = Math.max(10_000, artifacts / 4);
      await load({ url: instance.origin, paths: shown.map(pathOf), status: 200, connections, warmUpMs: 0, measureMs });
    }
    await Bun.sleep(settledMs);
    return residentBytes(instance.pid);
  };
  const ofOne = await readAll(ids.slice(0, 1));
  const ofAll = await readAll(ids);
  await side.stop();
  return { artifacts: ids.length, ofOne, ofAll };
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
