// `bun run bench`: each figure of the product beside its baseline, measured in the same run and alternately, with its
// target; then memory and start, search among many artifacts, whether response times reveal hidden artifacts, and how
// contents that can hang a server affect other clients. Only by their names: `--only scale` compares a thousand artifacts
// with a million, `pages` measures every page in Chromium, `web` the main ones, `views` what readers get of public artifacts, `flood` what they
// notice of 10,000 publishes, `processes` several processes, `leases` what a write
// waits for them, `leased-memory` what answers from memory take of it, `content-parts` what parts of a long text cost, and
// `peers` haste-server. Prints a table and writes it as JSON. It takes a quarter of an hour.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { bombs, largest, type Bomb } from "../harness/bombs.ts";
import { scaledOut } from "../harness/database.ts";
import { startInstance } from "../harness/instance.ts";
import { repository } from "../harness/process.ts";
import { signIn } from "../harness/people.ts";
import { jobsDone, makeAccount, projectSlug, publishReports, username } from "./account.ts";
import {
  artifactPath,
  byPathPath,
  byPathRoute,
  contentPath,
  contentRoute,
  credentialFigure,
  pageFigure,
  publishFigure,
  readFigure,
  type Bench,
  type PublishBaseline,
} from "./figures.ts";
import { databaseUrlOf, runIn } from "../harness/embedded-database.ts";
import { measureBombs, recordingHolds } from "./bombs.ts";
import { measureContentParts } from "./content-parts.ts";
import { measureFlood } from "./flood.ts";
import { measureHidden } from "./hidden-timing.ts";
import { ordinaryLoad } from "./measure.ts";
import { measureStarts } from "./starts.ts";
import { measureLeasedMemory } from "./leased-memory.ts";
import { measureLeases } from "./leases.ts";
import { mcpFigure, measureEconomy } from "./mcp.ts";
import { memoryOf } from "./memory.ts";
import { measureLargePages } from "./large-pages.ts";
import { measurePackagePublishes } from "./package-publish.ts";
import { measureImages } from "./page-images.ts";
import { measureMainPages, measurePages } from "./pages.ts";
import { explainMissing, measurePeers } from "./peers.ts";
import { measureProcesses } from "./processes.ts";
import { Report, type BombLimits } from "./report.ts";
import { measureScale } from "./scale.ts";
import { measureSearch, usualArtifacts } from "./search.ts";
import { measureViews } from "./views.ts";

const { values: options } = parseArgs({
  options: {
    /** Five by default; three for pages. */
    rounds: { type: "string" },
    /** Of each measurement; 2 by default, and 1 for views, processes and peers. */
    seconds: { type: "string" },
    /** Part of the names of the wanted figures. */
    only: { type: "string", default: "" },
    /**
     * How many artifacts `--only scale` compares with a thousand (a million) and `search` with 2,000 (200,000), and `leased-memory`
     * reads (100,000).
     */
    artifacts: { type: "string" },
    /** The checkout of haste-server for `--only peers`. */
    haste: { type: "string" },
  },
});
const rounds = Number(options.rounds ?? (["pages", "web"].includes(options.only) ? 3 : 5));
/** The length of a measurement of which a run has very many. */
const shortMs = Number(options.seconds ?? 1) * 1000;
const measureMs = Number(options.seconds ?? 2) * 1000;
const wants = (name: string) => name.includes(options.only);
/** The figures that have a baseline, reads of published contents first. */
const reads = ["content", "304", "by-path", "bearer check of a key", "session", "page", "mcp"];
const figures = ["publish", ...reads];

/** A number of contents that fits into the process's cache, and one that does not. */
const kept = 1000;
const tooMany = 4000;
/**
 * Milliseconds until the garbage of the last requests is collected, because the figure is the memory that an instance
 * retains.
 */
const settledMs = 10_000;

const directory = realpathSync(mkdtempSync(join(tmpdir(), "plinth-bench-")));
const place = (name: string) => {
  const path = join(directory, name);
  mkdirSync(path);
  return path;
};
const report = new Report();
try {
  if (wants("start")) report.starts(await measureStarts(place));
  if (wants("command-line start")) await commandStarts();
  if (wants("search"))
    for (const figure of await measureSearch(place, Number(options.artifacts ?? usualArtifacts))) report.search(figure);
  // Only by name, because seeding a million artifacts takes a quarter of an hour.
  if (options.only === "scale")
    for (const figure of await measureScale(directory, Number(options.artifacts ?? 1_000_000), rounds))
      report.scale(figure);
  if (options.only === "views") await views();
  if (options.only === "flood") report.flood(await measureFlood(place("flood"), Number(options.artifacts ?? 10_000)));
  if (options.only === "processes")
    for (const figure of await measureProcesses(place("processes"), { rounds, measureMs: shortMs }))
      report.view(figure);
  if (options.only === "leases") for (const figure of await measureLeases(place("leases"))) report.lease(figure);
  if (options.only === "leased-memory")
    report.leasedMemory(await measureLeasedMemory(place, Number(options.artifacts ?? 100_000)));
  if (options.only === "content-parts") await measureContentParts((figure) => report.part(figure));
  if (options.only === "peers") await peers();
  // Also only by name, because it occupies the machine for a quarter of an hour.
  if (options.only === "pages") await everyPage();
  if (options.only === "web") await mainPages();
  if (wants("hidden")) await timings();
  if (wants("bombs")) await explosions("bombs", bombs, { answer: 3000, other: 150, held: 100 });
  if (wants("event-loop")) await explosions("event-loop", largest, { answer: null, other: 150, held: 100 });
  if (wants("packages")) await packagePublishes();
  if (wants("page-images"))
    for (const figure of await measureImages(place("page-images"), rounds)) report.figure(figure, "bare server");
  if (figures.some(wants)) await throughput();
  report.print();
  report.write(join(import.meta.dir, "results"));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function views(): Promise<void> {
  await measureViews(place("views"), {
    rounds,
    measureMs: shortMs,
    view: (figure) => report.view(figure),
    read: (figure) => report.figure(figure, "bare route"),
  });
}

async function peers(): Promise<void> {
  const { haste } = options;
  const missing = explainMissing(haste === undefined ? undefined : resolve(repository, haste));
  if (missing !== null || haste === undefined) return console.error(missing);
  for (const figure of await measurePeers(place("peers"), {
    haste: resolve(repository, haste),
    rounds,
    measureMs: shortMs,
  }))
    report.figure(figure, "haste-server");
}

/** Imported here, because it needs the built command line. */
async function commandStarts(): Promise<void> {
  const { measureCommandStarts } = await import("./command-line.ts");
  for (const figure of await measureCommandStarts(place("command-line"))) report.commandStart(figure);
}

/** The weight and times of pages, and the response of pages with much content. */
async function everyPage(): Promise<void> {
  await measurePages(place("pages"), rounds, (figure) => report.page(figure));
  await measureLargePages(place("large"), rounds, (figure) => report.interaction(figure));
}

/** The pages that people open first and most often, and the interactive reference. */
async function mainPages(): Promise<void> {
  const reference = await measureMainPages(place("web"), rounds, (figure) => report.page(figure));
  report.reference(reference);
}

/** Whether response times reveal hidden artifacts, on an instance without other load. */
async function timings(): Promise<void> {
  const dataDir = place("hidden");
  const instance = await startInstance({ dataDir });
  // Autovacuum does this within a minute; until then a slug lookup scans all artifacts of a project.
  const analyze = () => runIn(dataDir, "ANALYZE");
  await measureHidden(instance, await makeAccount(instance), analyze, (timing) => report.timing(timing));
  await instance.stop();
}

/** What contents that can hang a server cost, and how they affect other clients; `limits` in ms. */
async function explosions(name: string, contents: readonly Bomb[], limits: BombLimits): Promise<void> {
  const holds = join(place(`${name}-holds`), "holds");
  const instance = await startInstance({ dataDir: place(name), env: recordingHolds(holds) });
  await measureBombs({ instance, holds }, await makeAccount(instance), contents, (figure) =>
    report.bomb(name, figure, limits),
  );
  await instance.stop();
}

/** What kept packages cost a publish. */
async function packagePublishes(): Promise<void> {
  const job = { dataDir: place("packages"), rounds, measureMs };
  for (const figure of await measurePackagePublishes(job)) report.figure(figure, "without packages");
}

async function throughput(): Promise<void> {
  const dataDir = place("data");
  const instance = await startInstance({ dataDir });
  await runIn(dataDir, "CREATE DATABASE baseline");
  // The baseline uses the product's tables: an instance creates them.
  const databaseUrl = databaseUrlOf(dataDir, "baseline");
  const creator = await startInstance({ dataDir: place("baseline"), env: scaledOut(databaseUrl) });
  const baseline: PublishBaseline = { databaseUrl, account: await makeAccount(creator) };
  await creator.stop();

  const account = await makeAccount(instance);
  const bench: Bench = {
    instance,
    account,
    rounds,
    measureMs,
    directory: place("page"),
    databaseUrl: databaseUrlOf(dataDir),
  };
  for (const connections of [1, 16]) {
    if (!wants("publish")) continue;
    report.figure(await publishFigure(bench, connections, baseline, "rows"), "one statement");
    report.figure(await publishFigure(bench, connections, baseline, "bytes"), "bytes alone");
  }

  if (reads.some(wants)) await readsOf(bench);
  const memoryAtOnce = memoryOf(instance.pid, dataDir);
  await Bun.sleep(settledMs);
  report.memory(memoryAtOnce, memoryOf(instance.pid, dataDir));
  await instance.stop();
}

async function readsOf(bench: Bench): Promise<void> {
  const { instance, account } = bench;
  const reports = await publishReports(instance, account, tooMany);
  await jobsDone(instance);
  const all = reports.map(({ artifactId }) => contentPath(artifactId));
  const some = all.slice(0, kept);
  if (wants("content")) {
    for (const [what, paths] of Object.entries({
      "one artifact": all.slice(0, 1),
      "bytes cached": some,
      "bytes not cached": all,
    })) {
      const read = { name: `content 10 KB, ${what}`, paths, status: 200, route: contentRoute };
      report.figure(await readFigure(bench, read, ordinaryLoad), "bare route");
    }
  }
  if (wants("304")) {
    const headersOf = await Promise.all(
      some.map(async (path) => ({ "if-none-match": (await fetch(instance.origin + path)).headers.get("etag") ?? "" })),
    );
    const read = { name: "content 304", paths: some, headersOf, status: 304, route: contentRoute };
    report.figure(await readFigure(bench, read), "bare route");
  }
  const slugs = reports.slice(0, kept).map(({ slug }) => slug);
  if (wants("by-path")) {
    const read = { name: "by-path", paths: slugs.map(byPathPath), status: 200, route: byPathRoute };
    report.figure(await readFigure(bench, read), "bare route");
  }
  const artifacts = reports.slice(0, kept).map(({ artifactId }) => artifactPath(artifactId));
  const cookie = await signIn(instance, account.userId);
  for (const [who, headers] of Object.entries({
    "bearer check of a key": { authorization: account.authorization },
    session: { cookie },
  })) {
    if (!wants(who)) continue;
    for (const [what, paths] of Object.entries({ content: some, artifact: artifacts }))
      report.figure(await credentialFigure(bench, { name: `${who}, ${what}`, paths, headers }), "anonymous");
  }
  if (wants("page")) {
    const paths = slugs.map((slug) => `/${username}/${projectSlug}/${slug}`);
    report.figure(await pageFigure(bench, paths), "bare page");
  }
  if (wants("mcp")) {
    const ids = reports.slice(0, kept).map(({ artifactId }) => artifactId);
    report.figure(await mcpFigure(bench, ids), "empty tool");
    report.economy(await measureEconomy(instance, account));
  }
}
