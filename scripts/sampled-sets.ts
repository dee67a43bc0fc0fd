// Chooses the tests that run whole in a landing. A test of a sample runs whole after each change of what it covers,
// because the sample of one run can miss what the change broke. A whole run that passed is recorded in
// `sampled-sets.json` by a hash of what the test covers. `bun run test --all` runs those whose hash differs: whole as
// far as its time allows, those that cover the least first, and the others by their samples. A test that was not whole
// for too long fails it.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readImports, type Import } from "./folder-graph.ts";
import { root } from "./step.ts";

/** A module that imports this one, also through others, takes samples. */
const sampling = "e2e/support/test-seed.ts";

const everything = ["domain", "api", "server", "worker", "db/migrations", "platform"] as const;
const rendering = ["domain/render", "domain/content", "domain/threads", "runtime", "contract/frame.ts"] as const;
const pages = ["web/src"] as const;
const frames = [
  ...rendering,
  "web/src/viewer",
  "web/src/embed",
  "web/src/lib/components/ArtifactFrame.svelte",
] as const;
const jobs = ["domain/jobs", "domain/queue", "domain/search", "worker"] as const;
const durability = ["server", "domain/versions", "domain/storage", "domain/queue", "domain/failure.ts"] as const;

/**
 * The parts of the product that a test of a running instance covers, by paths below the root. Every test covers the
 * modules that it imports too; one without a row covers no others.
 */
export const covered: Readonly<Record<string, readonly string[]>> = {
  "e2e/billing.browser.test.ts": ["domain/billing", "domain/plans", ...pages],
  "e2e/bombs.test.ts": [...rendering, "domain/diff", "domain/versions"],
  "e2e/command-line/arguments.test.ts": ["cli"],
  "e2e/command-line/commands.test.ts": ["cli", "contract"],
  "e2e/command-line/resume.test.ts": ["cli"],
  "e2e/command-line/tasks/tasks.test.ts": ["cli", "contract"],
  "e2e/connect.browser.test.ts": [...pages],
  "e2e/corpus/real-documents.test.ts": [...rendering, "domain/versions", "domain/storage"],
  "e2e/documents.browser.test.ts": [...frames],
  "e2e/editing.browser.test.ts": [...pages],
  "e2e/hidden.test.ts": ["domain/access", "contract/operations", "api"],
  "e2e/history.browser.test.ts": ["domain/diff", "contract/diff", ...pages],
  "e2e/isolation.test.ts": [...frames],
  "e2e/isolation/chromium.engines.test.ts": [...frames],
  "e2e/isolation/firefox.engines.test.ts": [...frames],
  "e2e/isolation/webkit.engines.test.ts": [...frames],
  "e2e/journeys/first-publish.browser.test.ts": [...pages],
  "e2e/journeys/invite-a-teammate.browser.test.ts": [...pages],
  "e2e/journeys/make-it-private.browser.test.ts": [...pages],
  "e2e/journeys/move-a-project.browser.test.ts": [...pages],
  "e2e/journeys/press-counts.browser.test.ts": [...pages],
  "e2e/journeys/share-with-a-client.browser.test.ts": [...pages],
  "e2e/jsx.browser.test.ts": [...frames],
  "e2e/kept-packages.engines.test.ts": [...frames, "domain/packages"],
  "e2e/large.browser.test.ts": [...pages],
  "e2e/live-page.browser.test.ts": ["domain/events", ...pages],
  "e2e/own-images.engines.test.ts": [...frames, "domain/images"],
  "e2e/page-calls.test.ts": [...pages],
  "e2e/page-weight.browser.test.ts": [...pages, "runtime"],
  "e2e/pages.test.ts": [...pages],
  "e2e/parity.test.ts": ["domain", "api", "cli", "contract"],
  "e2e/reading.browser.test.ts": [...frames, ...pages],
  "e2e/remote-images.browser.test.ts": [...frames, "domain/images"],
  "e2e/runtime-components.browser.test.ts": [...frames],
  "e2e/runtime-modules.browser.test.ts": [...frames],
  "e2e/scale/apart.test.ts": ["server", "domain/events", "domain/leases", "domain/queue", "domain/counters.ts"],
  "e2e/scale/composed.redis.test.ts": ["server", "compose.yaml", "deploy", "domain/queue", "domain/counters.ts"],
  "e2e/scale/image.redis.test.ts": ["server", "scripts", "Dockerfile", "package.json"],
  "e2e/selling.test.ts": ["domain/billing", "domain/plans", "api/billing-webhook.ts"],
  "e2e/self-navigation/chromium.engines.test.ts": [...frames, "domain/rate-limit.ts"],
  "e2e/self-navigation/firefox.engines.test.ts": [...frames],
  "e2e/self-navigation/webkit.engines.test.ts": [...frames],
  "e2e/sharing.browser.test.ts": ["domain/sharing", ...pages],
  "e2e/stress/addresses.test.ts": ["domain/artifacts", "domain/projects", "domain/workspaces"],
  "e2e/stress/documents.test.ts": [...frames, "cli/push", "contract/publishing"],
  "e2e/stress/fuzz.test.ts": ["api", "contract", "domain"],
  "e2e/stress/mcp-fuzz.test.ts": ["api/mcp", "contract"],
  "e2e/stress/races.test.ts": ["domain/access", "domain/versions", "domain/workspaces", "domain/billing"],
  "e2e/stress/redis-away.redis.test.ts": ["domain/queue", "domain/counters.ts", "domain/redis-trouble.ts", "worker"],
  "e2e/stress/rotating/backup.test.ts": ["server/backup", "db/migrations"],
  "e2e/stress/rotating/busy.test.ts": [...rendering, "domain/packages"],
  "e2e/stress/rotating/bystander.test.ts": [...everything],
  "e2e/stress/rotating/crash.test.ts": [...durability],
  "e2e/stress/rotating/database-restart.test.ts": [...durability, "domain/database-trouble.ts"],
  "e2e/stress/rotating/database-stopped.test.ts": [...durability, "domain/database-trouble.ts"],
  "e2e/stress/rotating/disk-full.test.ts": [...durability],
  "e2e/stress/rotating/hostile.test.ts": [...frames],
  "e2e/stress/rotating/jobs-twice.test.ts": [...jobs, "domain/mail", "domain/retention", "domain/thumbnails"],
  "e2e/stress/rotating/leases.test.ts": ["domain/leases", "domain/access", "db/migrations"],
  "e2e/stress/rotating/retention.test.ts": ["domain/retention", "domain/versions"],
  "e2e/stress/rotating/revocations.test.ts": ["domain/access", "domain/leases", "domain/credentials", "domain/sharing"],
  "e2e/stress/rotating/sigterm.test.ts": [...durability],
  "e2e/stress/rotating/thumbnails.test.ts": ["domain/thumbnails", ...jobs],
  "e2e/stress/rotating/uploads.test.ts": ["domain/files", "domain/storage", "api/uploads.ts"],
  "e2e/stress/rotating/worker-kill.test.ts": [...jobs],
  "e2e/text-between-rules.engines.test.ts": [...rendering],
  "e2e/viewer.browser.test.ts": [...frames, ...pages],
  "e2e/webrtc.browser.test.ts": [...frames],
  "worker/capture/bombs.test.ts": ["worker/capture"],
  "worker/capture/egress-probes.test.ts": ["worker/capture"],
};

/** The hash of what each sampled test covered when it last ran whole and passed, in a file for the next landing. */
const recordFile = join(root, "scripts/sampled-sets.json");

export interface Checkout {
  readonly root: string;
  readonly imports: readonly Import[];
}

export const checkout = (folder = root): Checkout => ({ root: folder, imports: readImports(folder) });

/** The test files that take samples, in the order of their names. */
export function sampledTests({ imports }: Checkout): string[] {
  const importers = Map.groupBy(imports, ({ to }) => to);
  const found = reached([sampling], (file) => importers.get(file)?.map(({ from }) => from));
  return found.filter((file) => /\.test\.tsx?$/.test(file)).toSorted();
}

/** A hash of the content and the path of each file that a sampled test covers. */
export function coverageHash({ root: folder, imports }: Checkout, test: string, parts = covered[test] ?? []): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const file of coveredFiles({ root: folder, imports }, test, parts))
    hash.update(`\0${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}

/** The files that a sampled test covers, in the order of their names. */
function coveredFiles({ root: folder, imports }: Checkout, test: string, parts = covered[test] ?? []): string[] {
  const imported = Map.groupBy(imports, ({ from }) => from);
  const modules = reached([test], (file) => imported.get(file)?.map(({ to }) => to));
  return [...new Set([...modules, ...parts.flatMap((part) => filesIn(folder, part))])].toSorted();
}

/** Everything that a step leads to, with the start. */
function reached(from: readonly string[], next: (file: string) => readonly string[] | undefined): string[] {
  const found = new Set(from);
  for (const file of found) for (const other of next(file) ?? []) found.add(other);
  return [...found];
}

const isNoSource = /(^|\/)(node_modules|build|dist|\.svelte-kit)\/|\.test\.tsx?$|\.md$/;

/** The files of a folder, without tests and documents, or the file itself. */
function filesIn(folder: string, part: string): string[] {
  if (statSync(join(folder, part)).isFile()) return [part];
  return [...new Bun.Glob(`${part}/**/*`).scanSync({ cwd: folder, dot: true })].filter(
    (path) => !isNoSource.test(path),
  );
}

/** The last whole run of a test that passed. */
interface WholeRun {
  /** Of what it covered. */
  readonly hash: string;
  /** How long its tests took, one after the other. */
  readonly seconds: number;
  /** The day, as `YYYY-MM-DD`. */
  readonly on: string;
}

type WholeRuns = Readonly<Record<string, WholeRun>>;

const recorded = (): WholeRuns =>
  existsSync(recordFile) ? (JSON.parse(readFileSync(recordFile, "utf8")) as WholeRuns) : {};

/** The seconds of tests that a landing runs whole, two at a time, beside the 15 minutes that everything else takes. */
const wholeSeconds = 2000;
/** The seconds that a test is taken to take where none are recorded. */
const unknownSeconds = 120;
/** A test whose coverage has changed is whole at least once in so many days. */
const wholeWithinDays = 21;
/** The day from which on tests count that were not whole since. */
const ruleSince = "2026-11-29";

/** How the sampled tests run that were not whole since what they cover changed. */
export interface Choice {
  readonly whole: readonly string[];
  /** By their samples, because the time does not suffice for all. */
  readonly sampled: readonly string[];
  /** By their samples for too long. */
  readonly overdue: readonly string[];
}

/** Chooses among the given files. `today` is the day of the last change, so that a checkout has the same result later. */
export function chooseWhole(files: readonly string[], today: string, of = checkout(), record = recorded()): Choice {
  const sampled = new Set(sampledTests(of));
  const due = files.filter((file) => sampled.has(file) && record[file]?.hash !== coverageHash(of, file));
  const broad = new Map(due.map((file) => [file, coveredFiles(of, file).length]));
  const whole: string[] = [];
  let left = wholeSeconds;
  for (const file of due.toSorted((one, other) => (broad.get(one) ?? 0) - (broad.get(other) ?? 0))) {
    const seconds = record[file]?.seconds ?? unknownSeconds;
    if (seconds > left) continue;
    left -= seconds;
    whole.push(file);
  }
  const others = due.filter((file) => !whole.includes(file));
  const daysSince = (file: string) => (Date.parse(today) - Date.parse(record[file]?.on ?? ruleSince)) / 86_400_000;
  return {
    whole,
    sampled: others.filter((file) => daysSince(file) <= wholeWithinDays),
    overdue: others.filter((file) => daysSince(file) > wholeWithinDays),
  };
}

/** Records that these sampled tests ran whole and passed, with their seconds. */
export function recordWhole(seconds: ReadonlyMap<string, number>, on: string, of = checkout()): void {
  const sampled = sampledTests(of);
  const now: WholeRuns = Object.fromEntries(
    sampled
      .filter((file) => seconds.has(file))
      .map((file) => [file, { hash: coverageHash(of, file), seconds: Math.ceil(seconds.get(file) ?? 0), on }]),
  );
  const all = { ...recorded(), ...now };
  const kept = sampled.flatMap((file) => (all[file] === undefined ? [] : [[file, all[file]]]));
  writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
