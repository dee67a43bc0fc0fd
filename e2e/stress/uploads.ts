// Uploads of files, hostile ones between good ones: wrong hashes, too large, cut off, into other workspaces, of types that
// are not published, and many of one file at the same moment. Afterwards the instance has exactly the good ones.
import { connect } from "node:net";

import { filesLimits } from "@plinth/contract/limits";
import { SQL } from "bun";

import { databaseUrlOf } from "../harness/embedded-database.ts";
import { send } from "../harness/http.ts";
import { startInstance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, type Person } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { doctorIsContent } from "./doctor.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";

const width = 16;
/** Uploads of one file at once. */
const racers = 4;

interface Stage {
  readonly origin: string;
  readonly owner: Person;
  readonly stranger: Person;
  readonly projectSlug: string;
  readonly strangerSlug: string;
  /** The files that are to be there, by their hashes. */
  readonly kept: Map<string, Uint8Array<ArrayBuffer>>;
  /** The published files, to be read back. */
  readonly published: { readonly artifactId: string; readonly path: string; readonly sha256: string }[];
}

type Attempt = (stage: Stage, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

const put = (
  { origin }: Stage,
  sha256: string,
  body: Uint8Array<ArrayBuffer>,
  { token, query = "" }: { readonly token?: string; readonly query?: string },
) =>
  fetch(`${origin}/api/files/${sha256}${query}`, {
    method: "PUT",
    body,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });

async function requireStatus(what: string, answer: Response | { readonly status: number }, ...wanted: number[]) {
  const text = answer instanceof Response ? await answer.text() : "";
  assert(wanted.includes(answer.status), () => `${what}: ${answer.status} ${text}`);
}

const attempts: Readonly<Record<string, Attempt>> = {
  async good(stage, bytes) {
    const sha256 = hashOf(bytes);
    const { owner, projectSlug } = stage;
    await requireStatus("a good upload", await put(stage, sha256, bytes, { token: owner.token }), 200);
    stage.kept.set(sha256, bytes);
    const path = `data/${sha256.slice(0, 8)}.csv`;
    const { artifactId } = await createArtifact(owner, projectSlug, { files: [{ path, sha256 }] });
    stage.published.push({ artifactId, path, sha256 });
  },
  async race(stage, bytes) {
    const sha256 = hashOf(bytes);
    const { token } = stage.owner;
    const answers = await Promise.all(Array.from({ length: racers }, () => put(stage, sha256, bytes, { token })));
    for (const answer of answers) await requireStatus("one of several uploads of a file", answer, 200);
    stage.kept.set(sha256, bytes);
  },
  async "wrong hash"(stage, bytes) {
    const wrong = hashOf(new TextEncoder().encode(`not ${hashOf(bytes)}`));
    await requireStatus("a wrong hash", await put(stage, wrong, bytes, { token: stage.owner.token }), 400);
  },
  async "too large"(stage, bytes) {
    const status = await beginUpload(stage, hashOf(bytes), filesLimits.fileBytes + 1, bytes);
    assert(status === 413, () => `a file that is too large: ${status}`);
  },
  async "cut off"(stage, bytes) {
    await beginUpload(stage, hashOf(bytes), bytes.length + 1, bytes, true);
  },
  async "of another workspace"(stage, bytes) {
    const { owner, stranger } = stage;
    const query = `?workspaceId=${owner.workspaceId}`;
    const answer = await put(stage, hashOf(bytes), bytes, { token: stranger.token, query });
    await requireStatus("an upload into another's workspace", answer, 404);
    await requireStatus("an upload without a credential", await put(stage, hashOf(bytes), bytes, {}), 401);
  },
  async "another's file"(stage) {
    const { kept, origin, stranger, strangerSlug } = stage;
    const [sha256 = "0".repeat(64)] = [...kept.keys()].slice(-1);
    const body = publishBody(strangerSlug, [{ path: "a.csv", sha256 }]);
    await requireStatus("naming another's file", await post(origin, stranger, body), 400);
  },
  async "wrong type"(stage) {
    const { kept, origin, owner, projectSlug } = stage;
    const [sha256 = "0".repeat(64)] = [...kept.keys()].slice(-1);
    for (const path of ["run.exe", "../out.csv", "a/./b.csv", "no-extension", "C:\\a.csv"]) {
      const body = publishBody(projectSlug, [{ path, sha256 }]);
      await requireStatus(`a file called ${path}`, await post(origin, owner, body), 400);
    }
  },
};

const publishBody = (projectSlug: string, files: readonly { path: string; sha256: string }[]) => ({
  projectSlug,
  slug: `u-${Bun.randomUUIDv7()}`,
  type: "md",
  title: "With files",
  content: "# With files\n",
  access: { publicView: true, publicEdit: false },
  files,
});

const post = (origin: string, { token }: Person, body: object) =>
  send(`${origin}/api/artifacts`, { method: "POST", token, body });

/** Begins an upload of so many bytes, sends less, and gives the status of the answer; 0 where it hangs up or is hung up on. */
function beginUpload(
  { origin, owner }: Stage,
  sha256: string,
  length: number,
  bytes: Uint8Array,
  hangsUp = false,
): Promise<number> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(Number(port), hostname);
  let answer = "";
  const limit = setTimeout(() => reject(new Error("an unfinished upload was not answered")), hung);
  const over = () => {
    clearTimeout(limit);
    socket.destroy();
    resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0));
  };
  socket.on("data", (data) => {
    answer += String(data);
    over();
  });
  socket.on("error", over);
  socket.on("close", over);
  socket.write(
    `PUT /api/files/${sha256} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${owner.token}\r\n` +
      `content-length: ${length}\r\n\r\n`,
  );
  socket.write(bytes, () => {
    if (hangsUp) over();
  });
  return promise;
}

export const uploads: StressTest = {
  claim: "of good and hostile uploads exactly the good ones are kept, each once",
  count: 1_000,
  shortCount: 80,
  async run({ count, seed }) {
    const instance = await startInstance();
    const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 2 });
    try {
      const [owner, stranger] = [await createPerson(instance), await createPerson(instance)];
      const [{ slug: projectSlug }, { slug: strangerSlug }] = [
        await createProject(owner),
        await createProject(stranger),
      ];
      const { origin } = instance;
      const stage: Stage = { origin, owner, stranger, projectSlug, strangerSlug, kept: new Map(), published: [] };
      const random = randomFrom(seed);
      const names = Object.keys(attempts);
      const plan = Array.from({ length: count }, (_, index) => ({
        name: names[Math.floor(random() * names.length)] ?? "good",
        bytes: new TextEncoder().encode(`${index},${random()}\n`.repeat(1 + Math.floor(random() * 2_000))),
      }));
      await inParallel(count, width, async (index) => {
        const step = plan[index];
        if (step !== undefined) await attempts[step.name]?.(stage, step.bytes);
      });
      await requireExactly(stage, sql);
      await doctorIsContent({ DATABASE_URL: databaseUrlOf(instance.dataDir) });
      const counts = Object.fromEntries(
        [...Map.groupBy(plan, ({ name }) => name)].map(([name, all]) => [name, all.length]),
      );
      return { ...counts, kept: stage.kept.size, readBack: stage.published.length };
    } finally {
      await sql.close();
      await instance.stop();
    }
  },
};

/** The owner's workspace has the good files and no other, with their bytes; the stranger's has none. */
async function requireExactly({ origin, kept, published }: Stage, sql: SQL): Promise<void> {
  const rows = (await sql.unsafe(
    "SELECT encode(f.sha256, 'hex') AS sha256, c.size_bytes FROM workspace_file f LEFT JOIN content c USING (sha256)",
  )) as { sha256: string; size_bytes: number | null }[];
  const found = new Set(rows.map(({ sha256 }) => sha256));
  const lost = [...kept.keys()].filter((sha256) => !found.has(sha256));
  const foreign = rows.filter(({ sha256 }) => !kept.has(sha256));
  assert(lost.length === 0 && foreign.length === 0, () => `lost ${lost.length}, kept in spite of it ${foreign.length}`);
  assert(rows.length === kept.size, () => `${rows.length} rows of ${kept.size} files`);
  const wrong = rows.filter(({ sha256, size_bytes }) => size_bytes !== kept.get(sha256)?.length);
  assert(wrong.length === 0, () => `${wrong.length} files have another size`);
  for (const { artifactId, path, sha256 } of published) {
    const answer = await fetch(`${origin}/api/artifacts/${artifactId}/files/${path}`);
    const read = hashOf(new Uint8Array(await answer.arrayBuffer()));
    assert(read === sha256, () => `${path} of ${artifactId} was read as other bytes (${answer.status})`);
  }
}
