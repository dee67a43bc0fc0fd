// The instance's own state: health, jobs, figures (docs/reference/contract.md §1, docs/reference/experience.md §6).
import Type, { type Static } from "typebox";

import { Nullable } from "./shape.ts";
import { Count, Time } from "./text.ts";

export const HealthCheck = Type.Object({
  status: Type.Enum(["pass", "warn", "fail"]),
  detail: Type.Optional(Type.String()),
});

export const Health = Type.Object({
  status: Type.Enum(["pass", "warn", "fail"]),
  version: Type.String(),
  uptimeSeconds: Count,
  checks: Type.Optional(
    Type.Object({
      database: HealthCheck,
      queue: HealthCheck,
      renderer: HealthCheck,
      /** Present where the instance sells plans. */
      billing: Type.Optional(HealthCheck),
      /** Present where contents are in object storage. */
      contents: Type.Optional(HealthCheck),
    }),
  ),
});
export type Health = Static<typeof Health>;

export const JobState = Type.Enum(["waiting", "active", "delayed", "failed"]);
export type JobState = Static<typeof JobState>;

export const Job = Type.Object({
  jobId: Type.String(),
  kind: Type.String(),
  queue: Type.String({ description: "Jobs of one queue do not delay those of another" }),
  state: JobState,
  attempts: Count,
  error: Nullable(Type.String({ description: "Of the last try, without what could be an address or a secret" })),
  createdAt: Time,
});
export type Job = Static<typeof Job>;

export const jobKinds = [
  "retention",
  "thumbnails",
  "purge",
  "renderings",
  "contents",
  "packages-missing",
  "billing-reconcile",
] as const;

/** A job that runs on a schedule. */
export const Schedule = Type.Object({ kind: Type.String(), everySeconds: Count, nextAt: Nullable(Time) });
export type Schedule = Static<typeof Schedule>;

export const Stats = Type.Object({
  users: Count,
  workspaces: Count,
  projects: Count,
  artifacts: Count,
  versions: Count,
  contentBytes: Count,
  databaseBytes: Count,
  queue: Type.Object({ waiting: Count, active: Count, failed: Count }),
  outbox: Type.Object({ rows: Count, oldestAt: Nullable(Time) }),
  schedules: Type.Array(Schedule),
});
export type Stats = Static<typeof Stats>;
