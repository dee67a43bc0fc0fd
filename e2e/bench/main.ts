// `bun run bench`: each figure of the product beside its baseline, measured in the same run and alternately, with its
// target. Prints a table and writes it as JSON. It takes a quarter of an hour; `--only NAME` measures some of `usual`, or one
// of `byName`.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { scaledOut } from "../harness/database.ts";
import { databaseUrlOf, runIn } from "../harness/embedded-database.ts";
import { startInstance } from "../harness/instance.ts";
import { signIn } from "../harness/people.ts";
import { repository } from "../harness/process.ts";
import { jobsDone, makeAccount, projectSlug, publishReports, username } from "./account.ts";
import { measureBombs } from "./bombs.ts";
import { measureContentParts } from "./content-parts.ts";
import * as figures from "./figures.ts";
import { measureFlood } from "./flood.ts";
import { measureHidden } from "./hidden-timing.ts";
import { measureLargePages } from "./large-pages.ts";
import { measureLeasedMemory } from "./leased-memory.ts";
import { measureIdle } from "./idle.ts";
import { measureLeases } from "./leases.ts";
import { mcpFigure, measureEconomy } from "./mcp.ts";
import { load, median, ordinaryLoad, type Run } from "./measure.ts";
import { memoryOf } from "./memory.ts";
import { measurePackagePublishes } from "./package-publish.ts";
import { measureImages } from "./page-images.ts";
import { measureMainPages, measurePages } from "./pages.ts";
import { measurePeers } from "./peers.ts";
import { measureProcesses } from "./processes.ts";
import { Report } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureSearchBytes } from "./search-bytes.ts";
import { measureSearch } from "./search.ts";
import { measureViews } from "./views.ts";

const { values: options } = parseArgs({
  options: {
    /** Five by default; three for pages. */
    rounds: { type: "string" },
    /** Of each measurement; 2 by default, and 1 for views, processes and peers. */
    seconds: { type: "string" },
    /** Part of the names of the wanted figures. */
    only: { type: "string", default: "" },
    /** For the figures whose measurement says how many it takes otherwise. */
    artifacts: { type: "string" },
    /** The checkout of haste-server for `--only peers`. */
    haste: { type: "string" },
  },
});
const wants = (name: string) => name.includes(options.only);

const directory = realpathSync(mkdtempSync(join(tmpdir(), "plinth-bench-")));
const report = new Report();
const run: Run = {
  report,
  rounds: Number(options.rounds ?? (["pages", "web"].includes(options.only) ? 3 : 5)),
  measureMs: Number(options.seconds ?? 2) * 1000,
  shortMs: Number(options.seconds ?? 1) * 1000,
  artifacts: (usual) => Number(options.artifacts ?? usual),
  place(name) {
    const path = join(directory, name);
    mkdirSync(path);
    return path;
  },
};

/** Only by their whole names, because each occupies the machine for long or compares what changes rarely. */
const byName: Readonly<Record<string, () => Promise<void>>> = {
  /** A thousand artifacts with a million, or `--artifacts`. */
  scale: () => measureScale(run),
  /** Readers of public artifacts, of one process and of several. */
  views: () => measureViews(run),
  processes: () => measureProcesses(run),
  /** What readers notice of 10,000 publishes. */
  flood: () => measureFlood(run),
  /** What a write waits for leases, and the memory that they take. */
  leases: () => measureLeases(run),
  "leased-memory": () => measureLeasedMemory(run),
  /** What prose takes in the database to be found. */
  "search-bytes": () => measureSearchBytes(run),
  /** Parts of a long text. */
  "content-parts": () => measureContentParts(run),
  /** Five minutes. */
  idle: () => measureIdle(run),
  peers: () => measurePeers(run, options.haste === undefined ? undefined : resolve(repository, options.haste)),
  /** Every page in Chromium, and those with much content. */
  async pages() {
    await measurePages(run);
    await measureLargePages(run);
  },
  /** The main pages. */
  web: () => measureMainPages(run),
};

const usual: Readonly<Record<string, () => Promise<void>>> = {
  start: measureStarts,
  // Imported here, because it needs the built command line.
  "command-line start": async () => (await import("./command-line.ts")).measureCommandStarts(run),
  search: () => measureSearch(run),
  hidden: () => measureHidden(run),
  bombs: () => measureBombs(run, "bombs"),
  "event-loop": () => measureBombs(run, "event-loop"),
  packages: () => measurePackagePublishes(run),
  "page-images": () => measureImages(run),
};

/** Reads of published contents. */
const reads = ["content", "304", "by-path", "bearer check of a key", "session", "page", "mcp"];
/** A number of contents that fits into the process's cache, and one that does not. */
const kept = 1000;
const tooMany = 4000;
/** Milliseconds until the garbage of the last requests is collected: the figure is the memory that an instance retains. */
const settledMs = 10_000;

try {
  await byName[options.only]?.();
  for (const [name, measure] of Object.entries(usual)) if (wants(name)) await measure();
  if (["publish", ...reads].some(wants)) await throughput();
  report.print();
  report.write(join(import.meta.dir, "results"));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Until an installed and built instance answers, the median of three starts of each kind. */
async function measureStarts(): Promise<void> {
  const times: { created: number[]; existing: number[] } = { created: [], existing: [] };
  for (let n = 0; n < 3; n++) {
    const dataDir = run.place(`start-${n}`);
    for (const taken of [times.created, times.existing]) {
      const instance = await startInstance({ dataDir });
      taken.push(instance.readyMs);
      await instance.stop();
    }
  }
  report.limited("start to ready, new data directory", median(times.created), 3500, "ms");
  report.limited("start to ready, existing data directory", median(times.existing), 1500, "ms");
}

async function throughput(): Promise<void> {
  const dataDir = run.place("data");
  const instance = await startInstance({ dataDir });
  await runIn(dataDir, "CREATE DATABASE baseline");
  // The baseline uses the product's tables: an instance creates them.
  const databaseUrl = databaseUrlOf(dataDir, "baseline");
  const creator = await startInstance({ dataDir: run.place("baseline"), env: scaledOut(databaseUrl) });
  const baseline = { databaseUrl, account: await makeAccount(creator) };
  await creator.stop();
  const account = await makeAccount(instance);
  const bench: figures.Bench = { ...run, instance, account, databaseUrl: databaseUrlOf(dataDir) };
  if (wants("publish"))
    for (const atOnce of [1, 16])
      for (const inserts of ["rows", "bytes"] as const) await figures.publishFigure(bench, atOnce, baseline, inserts);
  if (reads.some(wants)) await readsOf(bench);
  await addMemory(instance.pid, dataDir);
  await instance.stop();
}

/** When the last request is answered, and after the garbage collection. */
async function addMemory(pid: number, dataDir: string): Promise<void> {
  const mebibytes = (bytes: number) => bytes / 1024 ** 2;
  const atOnce = memoryOf(pid, dataDir);
  await Bun.sleep(settledMs);
  const settled = memoryOf(pid, dataDir);
  if (atOnce === null || settled === null) return;
  const before = `PSS; at once ${Math.round(mebibytes(atOnce.server))} MB`;
  report.limited(`memory of the server (${before})`, mebibytes(settled.server), 250, "MB");
  const processes = `PSS, ${settled.postgresProcesses} processes`;
  report.limited(`memory of PostgreSQL (${processes})`, mebibytes(settled.postgres), 150, "MB");
}

async function readsOf(bench: figures.Bench): Promise<void> {
  const { instance, account } = bench;
  const { connections, contentRoute: route } = figures;
  const reports = await publishReports(instance, account, tooMany);
  await jobsDone(instance);
  const all = reports.map(({ artifactId }) => figures.contentPath(artifactId));
  const some = all.slice(0, kept);
  if (wants("content")) {
    const sets = { "one artifact": all.slice(0, 1), "bytes cached": some, "bytes not cached": all };
    for (const [what, paths] of Object.entries(sets)) {
      const target = paths === all ? undefined : { ratio: 0.5 };
      const read = { name: `content 10 KB, ${what}`, paths, status: 200, route, connections, target };
      await figures.readFigure(bench, instance, read, ordinaryLoad);
    }
  }
  if (wants("304")) {
    const headersOf = await figures.heldTags(instance.origin, some);
    const read = { name: "content 304", paths: some, headersOf, status: 304, route, connections };
    await figures.readFigure(bench, instance, read, load);
  }
  const slugs = reports.slice(0, kept).map(({ slug }) => slug);
  if (wants("by-path")) {
    const byPath = { paths: slugs.map(figures.byPathPath), route: figures.byPathRoute };
    await figures.readFigure(bench, instance, { name: "by-path", ...byPath, status: 200, connections }, load);
  }
  const artifacts = reports.slice(0, kept).map(({ artifactId }) => figures.artifactPath(artifactId));
  const cookie = await signIn(instance, account.userId);
  const { authorization } = account;
  for (const [who, headers] of Object.entries({ "bearer check of a key": { authorization }, session: { cookie } }))
    if (wants(who))
      for (const [what, paths] of Object.entries({ content: some, artifact: artifacts }))
        await figures.credentialFigure(bench, `${who}, ${what}`, paths, headers);
  if (wants("page"))
    await figures.pageFigure(
      bench,
      slugs.map((slug) => `/${username}/${projectSlug}/${slug}`),
    );
  if (wants("mcp")) {
    const ids = reports.slice(0, kept).map(({ artifactId }) => artifactId);
    await mcpFigure(bench, ids);
    await measureEconomy(bench);
  }
}
