// The plans of the statements that requests send, as the server logs them (auto_explain). It knows PostgreSQL's log and
// plans, but no statement.
import { readFile, stat } from "node:fs/promises";

import { postgresLog } from "../harness/postgres.ts";
import { hung } from "../harness/process.ts";
import { restarted, type Side } from "./scale-side.ts";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface Planned {
  readonly statement: string;
  readonly ms: number;
  readonly plan: PlanNode;
}

/** Tables that grow with use, so no request can scan one. */
const growing: ReadonlySet<string> = new Set([
  "artifact",
  "artifact_order",
  "audit_event",
  "content",
  "membership",
  "project",
  "search_document",
  "thumbnail",
  "version",
]);

const explaining = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": 0,
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
} as const;

/** The same side with a server that logs each statement's plan. The given side is stopped. */
export const explainingSide = (side: Side): Promise<Side> => restarted(side, explaining);

/** The plans that the server logged during `work`, including those of autovacuum and of jobs. */
export async function plansOf({ server }: Side, work: () => Promise<unknown>): Promise<Planned[]> {
  const log = postgresLog(server);
  const from = (await stat(log)).size;
  await work();
  for (const until = Date.now() + hung; ;) {
    try {
      return plansIn((await readFile(log)).subarray(from).toString());
    } catch (error) {
      // The server was still writing the last plan.
      if (!(error instanceof SyntaxError) || Date.now() > until) throw error;
      await Bun.sleep(20);
    }
  }
}

/** @throws SyntaxError if a plan is incomplete */
function plansIn(text: string): Planned[] {
  return [...text.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, ms = "", json = ""]) => {
    const { "Query Text": statement, Plan: plan } = JSON.parse(json.replaceAll(/^\t/gm, "")) as {
      "Query Text": string;
      Plan: PlanNode;
    };
    return { statement, ms: Number(ms), plan };
  });
}

/** The growing tables that a plan scans. */
export function scannedWhole(plan: PlanNode): string[] {
  const { "Node Type": type, "Relation Name": relation = "", Plans: below = [] } = plan;
  const here = type.endsWith("Seq Scan") && growing.has(relation) ? [relation] : [];
  return [...here, ...below.flatMap(scannedWhole)];
}

/** The highest number of rows in one step of a plan. */
export const mostRows = (plan: PlanNode): number =>
  Math.max(plan["Actual Rows"] ?? 0, ...(plan.Plans ?? []).map(mostRows));

/** Pages that a plan reads. */
export const pagesOf = (plan: PlanNode): number => (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);

/** A plan as text, with the source of each step's rows. */
export function drawn(plan: PlanNode, depth = 0): string {
  const { "Node Type": type, "Relation Name": relation, "Index Name": index, Plans: below = [] } = plan;
  const { "Actual Rows": rows, "Actual Loops": loops } = plan;
  const where = [relation, index].filter((name) => name !== undefined).join(" by ");
  const line = `${"  ".repeat(depth)}${type}${where === "" ? "" : ` on ${where}`} (rows ${rows}, loops ${loops}, pages ${pagesOf(plan)})`;
  return [line, ...below.map((each) => drawn(each, depth + 1))].join("\n");
}
