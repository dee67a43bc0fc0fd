// Measures the difference in response times between a hidden artifact and one that never existed: pairs of requests are
// interleaved over one connection, and the area under the curve says how well the time alone separates them.
import { makeAccount, send, username } from "./account.ts";
import { openConnection, type Connection } from "./connection.ts";
import { median, type Run } from "./measure.ts";
import type { Row } from "./report.ts";
import { runIn } from "../harness/embedded-database.ts";
import { createPerson } from "../harness/people.ts";
import { startInstance, type Instance } from "../harness/instance.ts";

/** Above this value the response time reveals something. */
const areaLimit = 0.55;

/** Pairs of requests for each operation. */
const pairs = 4_000;
const warmUp = 500;
/** Hidden artifacts, and the same number of identifiers that do not exist. */
const many = 64;

interface Probe {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly hidden: readonly string[];
  readonly missing: readonly string[];
  readonly authorization?: string;
  readonly status: number;
}

/** Measures every operation that names an artifact by ID, by path and for writing. */
export async function measureHidden({ report, place }: Run): Promise<void> {
  const dataDir = place("hidden");
  // Without other load.
  const instance = await startInstance({ dataDir });
  const { authorization } = await makeAccount(instance);
  const hidden: string[] = [];
  const project = { ownerUsername: username, slug: "hidden", title: "Hidden", icon: "H" };
  await send(instance, authorization, "/api/projects", project);
  const publish = (slug: string) =>
    send<{ artifactId: string }>(instance, authorization, "/api/artifacts", {
      projectSlug: project.slug,
      slug,
      type: "md",
      title: "Hidden",
      content: `# ${slug}\n`,
      access: { publicView: false, publicEdit: false, viewerEmails: ["someone@example.com"] },
    });
  for (let n = 0; n < many; n++) {
    hidden.push((await publish(`artifact-${n}`)).artifactId);
    const { artifactId } = await publish(`former-artifact-${n}`);
    await send(instance, authorization, `/api/artifacts/${artifactId}`, { slug: `present-artifact-${n}` }, "PATCH");
  }
  // Identifiers near new ones, so that an index takes equally long for both.
  const missing = hidden.map(
    (id) => id.slice(0, -8) + id.slice(-8).replaceAll(/[0-9a-z]/g, (digit) => successor(digit)),
  );
  // Autovacuum does this within a minute; until then a slug lookup scans all artifacts of a project.
  await runIn(dataDir, "ANALYZE");
  const stranger = `Bearer ${(await createPerson(instance)).token}`;
  const slugs = Array.from({ length: many }, (_, n) => `artifact-${n}`);
  const byId = (rest: string) => ({
    hidden: hidden.map((id) => `/api/artifacts/${id}${rest}`),
    missing: missing.map((id) => `/api/artifacts/${id}${rest}`),
  });
  const byPath = (project: string, prefix = "") =>
    slugs.map((slug) => `/api/by-path/${username}/${project}/${prefix}${slug}`);
  const found = { hidden: byPath(project.slug) };
  const reads = [
    { name: "artifact", ...byId("") },
    { name: "content", ...byId("/content") },
    { name: "by-path, slug", ...found, missing: byPath(project.slug, "another-") },
    { name: "by-path, project", ...found, missing: byPath("hiding") },
    {
      name: "by-path, former address",
      hidden: byPath(project.slug, "former-"),
      missing: byPath(project.slug, "another-"),
    },
  ].map((read) => ({ ...read, method: "GET" as const, status: 404 }));
  const probes: Probe[] = [
    ...reads,
    ...reads.map((read) => ({ ...read, name: `${read.name}, with a key`, authorization: stranger })),
    { name: "new version, with a key", method: "POST", ...byId("/versions"), authorization: stranger, status: 404 },
  ];
  for (const probe of probes) report.add(await measure(instance, probe));
  await instance.stop();
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
const successor = (digit: string): string => digits.charAt((digits.indexOf(digit) + 7) % digits.length);

async function measure({ port }: Instance, probe: Probe): Promise<Row> {
  const connection = await openConnection("127.0.0.1", port);
  const requests = {
    hidden: probe.hidden.map((path) => requestOf(probe, path, port)),
    missing: probe.missing.map((path) => requestOf(probe, path, port)),
  };
  const times = { hidden: [] as number[], missing: [] as number[] };
  for (let n = 0; n < warmUp + pairs; n++) {
    const order = Math.random() < 0.5 ? (["hidden", "missing"] as const) : (["missing", "hidden"] as const);
    for (const side of order) {
      const request = requests[side][Math.floor(Math.random() * many)] ?? new Uint8Array();
      const took = await time(connection, request, probe);
      if (n >= warmUp) times[side].push(took);
    }
  }
  connection.close();
  const area = areaUnderCurve(times.hidden, times.missing);
  return {
    figure: `hidden or missing, ${probe.name}`,
    product: `${median(times.hidden).toFixed(3)} ms hidden`,
    baseline: `${median(times.missing).toFixed(3)} ms missing`,
    ratio: area.toFixed(3),
    target: `area < ${areaLimit}`,
    met: area < areaLimit,
  };
}

/** Milliseconds from the request to the end of the answer. */
async function time(connection: Connection, request: Uint8Array, { name, status }: Probe): Promise<number> {
  const started = performance.now();
  const answered = await connection.send(request);
  const took = performance.now() - started;
  if (answered !== status) throw new Error(`${answered} instead of ${status} for ${name}`);
  return took;
}

function requestOf({ method, authorization }: Probe, path: string, port: number): Uint8Array {
  const body = method === "POST" ? JSON.stringify({ content: "# Another\n" }) : "";
  const headers = [
    `host: 127.0.0.1:${port}`,
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(body === "" ? [] : ["content-type: application/json", `content-length: ${body.length}`]),
  ];
  return Buffer.from([`${method} ${path} HTTP/1.1`, ...headers, "", body].join("\r\n"));
}

/**
 * The area under the ROC curve of the better of the two guesses, 0.5 for a coin toss: how often a value of the first list
 * exceeds one of the second, ties counted half, or the complement of that.
 */
function areaUnderCurve(first: readonly number[], others: readonly number[]): number {
  const all = [...first.map((at) => ({ at, isFirst: true })), ...others.map((at) => ({ at, isFirst: false }))];
  all.sort((a, b) => a.at - b.at);
  let ranks = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.at === all[from]?.at) to++;
    const rank = (from + 1 + to) / 2;
    ranks += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length;
    from = to;
  }
  const area = (ranks - (first.length * (first.length + 1)) / 2) / (first.length * others.length);
  return Math.max(area, 1 - area);
}
