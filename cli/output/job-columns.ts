// The table of jobs, as an operator reads it: what became of each, and how to try it again.
import type { Job } from "@plinth/contract/schemas/instance";

import type { Column } from "../terminal/table.ts";
import { relativeTime } from "./formatting.ts";

export const jobColumns: readonly Column<Job>[] = [
  { title: "STATE", of: ({ state }) => state },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "LANE", of: ({ lane }) => lane },
  { title: "TRIES", of: ({ attempts }) => String(attempts) },
  { title: "MADE", of: ({ createdAt }) => relativeTime(createdAt) },
  { title: "ERROR", of: ({ error }) => error ?? "", most: 48 },
  { title: "ID", of: ({ jobId }) => jobId },
];
