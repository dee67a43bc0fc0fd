// Public reads before the router: the same answers as on the routes, counted and logged alike, and never an old one.
import { afterAll, beforeAll, expect, test } from "bun:test";

import type { PublicLeases, PublicRow } from "@plinth/domain/access/public-rows";
import type { Instance } from "@plinth/domain/context";
import { createInstance } from "@plinth/domain/instance";
import { createLoneLeases } from "@plinth/domain/leases/leases";
import type { Reading } from "@plinth/domain/leases/memory";
import { processClock, times, type Clock } from "@plinth/domain/leases/protocol";
import { on } from "@plinth/domain/telemetry";
import type { TestPerson } from "@plinth/domain/test/context";
import { createReadyAnswers } from "@plinth/platform/ready-answers";

import { createService, type Asked, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: { slug: string; projectId: string; ownerUsername: string };
let loads = 0;
let leased: Instance;
let now = 0;
const clock: Clock = { ...processClock, now: () => now };
type Ask = Service["ask"];
/** With a lease, and on the routes alone. */
let ask: Ask;
let askRoute: Ask;

beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person({ plan: "team" });
  project = await service.setup.project(owner.token);
  leased = countingLoads(createInstance({ ...service.setup.instance, leases: countingReadings() }));
  ask = service.askOf(leased);
  askRoute = service.askOf(createInstance({ ...service.setup.instance, leases: null }));
});
afterAll(() => service.close());

let readings = 0;

/** Leases that count the statements whose rows are in memory. */
function countingReadings(): PublicLeases {
  const lone = createLoneLeases<PublicRow>(clock);
  const begin = (): Reading<PublicRow> | null => {
    const reading = lone.memory.begin();
    if (reading === null) return null;
    return {
      keep: (name, read) => reading.keep(name, read),
      confirm: (name, row) => reading.confirm(name, row),
      end() {
        reading.end();
        readings++;
      },
    };
  };
  return { ...lone, memory: { ...lone.memory, begin } };
}

/** A route asks its instance to load; an answer before the router does not. */
function countingLoads(instance: Instance): Instance {
  const load: Instance["load"] = (kind, request) => {
    loads++;
    return instance.load(kind, request);
  };
  return { ...instance, load };
}

async function loadsOf(work: () => Promise<unknown>): Promise<number> {
  const before = loads;
  await work();
  return loads - before;
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4]);

/** A document with a file beside it. */
async function publishWithFile(): Promise<Shown> {
  const sha256 = new Bun.CryptoHasher("sha256").update(png).digest("hex");
  await service.ask("PUT", `/api/files/${sha256}`, { as: owner.token, body: png });
  return publish({ files: [{ path: "img/one.png", sha256 }] });
}

interface Shown {
  readonly artifactId: string;
  readonly slug: string;
}

const publish = (more: object = {}): Promise<Shown> => service.setup.publish(owner.token, project.slug, more);

const pathsOf = ({ artifactId, slug }: Shown): Readonly<Record<string, string>> => {
  const address = `${project.ownerUsername}/${project.slug}/${slug}`;
  return {
    content: `/api/artifacts/${artifactId}/content`,
    "content of a version": `/api/artifacts/${artifactId}/content?version=1`,
    "content by address": `/api/artifacts/${encodeURIComponent(address)}/content`,
    artifact: `/api/artifacts/${artifactId}`,
    "artifact by path": `/api/by-path/${address}`,
    "artifact by path for a page": `/api/by-path/${address}?withPackages=true&withFiles=true&withNeighbours=true`,
  };
};

/** The answer without the identifier of its request. */
async function seen(answer: Promise<Response>): Promise<object> {
  const { status, headers, ...response } = await answer.then(async (one) => ({
    status: one.status,
    headers: Object.fromEntries(one.headers),
    body: await one.text(),
  }));
  const { "x-request-id": requestId, ...rest } = headers;
  expect(requestId).toBeString();
  return { status, headers: rest, ...response };
}

/** As JSON without the rest of the minute in it: the other answer is of another moment. */
const withoutSeconds = (answer: object): string =>
  JSON.stringify(answer).replaceAll(/(t=|"retry-after":"|retryAfterSeconds\\":|Wait )\d+/g, "$1…");

/** Asked until the answer is kept: by the database, from memory, before the router. */
async function warm(path: string, asked: Asked = {}): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await (await ask("GET", path, asked)).bytes();
}

test("each read is answered without loading, with the headers, body and 304 of its route", async () => {
  const contents = ["# Short", "A long text.\n".repeat(4000)];
  for (const content of contents)
    for (const [name, path] of Object.entries(pathsOf(await publish({ content })))) {
      await warm(path);
      const { headers } = await askRoute("GET", path);
      const etag = headers.get("etag") ?? expect.unreachable();
      const conditions = [undefined, etag, `W/${etag}`, '"other"', "*", `"other", ${etag}`];
      for (const held of conditions) {
        const sent = held === undefined ? {} : { headers: { "if-none-match": held } };
        let ready: object = {};
        expect([name, await loadsOf(async () => (ready = await seen(ask("GET", path, sent))))]).toEqual([name, 0]);
        expect(ready).toEqual(await seen(askRoute("GET", path, sent)));
      }
    }
});

test("a file beside a document is answered without loading, and in its frame without a statement", async () => {
  const { artifactId, slug } = await publishWithFile();
  const address = encodeURIComponent(`${project.ownerUsername}/${project.slug}/${slug}`);
  for (const name of [artifactId, address]) {
    const path = `/api/artifacts/${name}/files/img/one.png`;
    await warm(path);
    const { headers } = await askRoute("GET", path);
    for (const sent of [{}, { headers: { "if-none-match": headers.get("etag") ?? "" } }]) {
      let ready: object = {};
      expect(await loadsOf(async () => (ready = await seen(ask("GET", path, sent))))).toBe(0);
      expect(ready).toEqual(await seen(askRoute("GET", path, sent)));
    }
  }
  const inFrame = `/_content/p/${artifactId}/1/files/img/one.png`;
  await warm(inFrame);
  for (const held of ["", `"${new Bun.CryptoHasher("sha256").update(png).digest("hex")}"`]) {
    const read = () => ask("GET", inFrame, { headers: { "if-none-match": held } });
    expect(
      await service.setup.statementsOf(async () => expect((await read()).status).toBe(held === "" ? 200 : 304)),
    ).toBe(0);
  }
  await write("PATCH", `/api/artifacts/${artifactId}/access`, {
    publicView: false,
    publicEdit: false,
    viewerEmails: [],
  });
  for (const path of [
    inFrame,
    `/api/artifacts/${artifactId}/files/img/one.png`,
    `/api/artifacts/${address}/files/img/one.png`,
  ])
    expect((await ask("GET", path)).status).toBe(404);
});

test("the request keeps its identifier, and is logged as on its route", async () => {
  const events: object[] = [];
  const stop = on({ request: (event) => void events.push({ ...event, ms: 0, mainThread: null }) });
  for (const path of Object.values(pathsOf(await publish()))) {
    await warm(path);
    for (const more of [{}, { "user-agent": "plinth/1.0.0" }, { "if-none-match": "*" }]) {
      events.length = 0;
      const sent = { headers: { "x-request-id": "given-by-caller", ...more } };
      expect((await ask("GET", path, sent)).headers.get("x-request-id")).toBe("given-by-caller");
      await askRoute("GET", path, sent);
      expect(events[0]).toEqual(events[1] ?? {});
    }
  }
  stop();
});

test("the contents of a thousand artifacts of 9 KB and the artifacts by path are kept together", async () => {
  const paths = pathsOf(await publish({ content: "A long text.\n".repeat(720), description: "d".repeat(300) }));
  const answers = createReadyAnswers("readyReads");
  const keys: string[] = [];
  for (const name of ["content", "artifact by path"]) {
    const path = paths[name] ?? "";
    const answer = await askRoute("GET", path);
    const [body, headers] = [await answer.bytes(), new Headers(answer.headers)];
    for (let n = 1000; n < 2000; n++) {
      answers.keepPlain(path + n, { body: body.slice(), headers });
      keys.push(path + n);
    }
  }
  expect(keys.filter((key) => answers.find(key) === null)).toEqual([]);
});

test("a request that shows more than its URL is answered by its route", async () => {
  const shown = await publish();
  const path = pathsOf(shown)["content"] ?? "";
  await warm(path);
  expect(await loadsOf(() => ask("GET", path))).toBe(0);
  const others: readonly (readonly [string, Asked])[] = [
    ["GET", { as: owner.token }],
    ["GET", { headers: { authorization: "Basic x" } }],
    ["GET", { headers: { "x-share-token": "plsh_0123456789abcdefghijklmnopqrstuvwxyz" } }],
    ["GET", { headers: { cookie: "session=x" } }],
    ["GET", { headers: { range: "bytes=0-1" } }],
    ["HEAD", {}],
  ];
  for (const [method, asked] of others) {
    const answer = await seen(ask(method, path, asked));
    expect(withoutId(answer)).toEqual(withoutId(await seen(askRoute(method, path, asked))));
  }
  expect(await loadsOf(() => ask("GET", path, { headers: { range: "bytes=0-1" } }))).toBe(1);
});

test("an answer that depends on more than its row is not kept", async () => {
  const jsx = await publish({ type: "jsx", content: "export default () => <p>x</p>;" });
  const paths = [
    pathsOf(jsx)["artifact by path for a page"] ?? "",
    `/api/artifacts/${jsx.artifactId}/content?startLine=1`,
    `/api/artifacts/${jsx.artifactId}/versions`,
  ];
  for (const path of paths) {
    await warm(path);
    expect(await loadsOf(() => ask("GET", path))).toBe(1);
  }
});

test("reads are counted, and refused as on their route", async () => {
  const limits = { ...service.setup.instance.config, rateLimits: { reads: 4, writes: 0 } };
  const limited = () => createInstance({ ...service.setup.instance, config: limits, leases: createLoneLeases(clock) });
  const instance = countingLoads(limited());
  const { artifactId } = await publish();
  const path = `/api/artifacts/${artifactId}/content`;
  const read = service.askOf(instance);
  const left: (string | null)[] = [];
  for (let n = 0; n < 4; n++) left.push((await read("GET", path)).headers.get("ratelimit")?.split(";")[1] ?? null);
  expect(left).toEqual(["r=3", "r=2", "r=1", "r=0"]);
  const id = { headers: { "x-request-id": "the-same-request" } };
  const before = loads;
  const refused = await seen(read("GET", path, id));
  expect(loads).toBe(before);
  const route = service.askOf(createInstance({ ...service.setup.instance, config: limits, leases: null }));
  for (let n = 0; n < 4; n++) await route("GET", path);
  expect(withoutSeconds(refused)).toBe(withoutSeconds(await seen(route("GET", path, id))));
  expect(refused).toMatchObject({ status: 429 });
});

const changes: Readonly<Record<string, (shown: Shown) => Promise<unknown>>> = {
  "a title": ({ artifactId }) => write("PATCH", `/api/artifacts/${artifactId}`, { title: "New" }),
  "a slug": ({ artifactId }) => write("PATCH", `/api/artifacts/${artifactId}`, { slug: service.setup.name() }),
  access: ({ artifactId }) =>
    write("PATCH", `/api/artifacts/${artifactId}/access`, { publicView: false, publicEdit: false, viewerEmails: [] }),
  "a deletion": ({ artifactId }) => write("DELETE", `/api/artifacts/${artifactId}`),
  "a version": ({ artifactId }) => write("POST", `/api/artifacts/${artifactId}/versions`, { content: "# Newer" }),
  "a project's slug": () => {
    project = { ...project, slug: service.setup.name() };
    return write("PATCH", `/api/projects/${project.projectId}`, { slug: project.slug });
  },
};

/** A write by the instance that holds the lease. */
async function write(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await ask(method, path, { as: owner.token, body });
  expect([answer.ok, await answer.text()]).toEqual([true, expect.anything()]);
}

test.each(Object.entries(changes))(
  "after a change of %s was answered, no read gives what was before",
  async (_what, change) => {
    const shown = await publish();
    const paths = Object.values(pathsOf(shown));
    for (const path of paths) {
      await warm(path);
      expect(await loadsOf(() => ask("GET", path))).toBe(0);
    }
    await change(shown);
    for (const path of paths) {
      const answers = [await seen(ask("GET", path)), await seen(ask("GET", path)), await seen(ask("GET", path))];
      const held = await seen(askRoute("GET", path));
      for (const answer of answers) expect(withoutId(answer)).toEqual(withoutId(held));
    }
  },
);

/** A problem has the identifier of its request. */
const withoutId = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\\"requestId\\":\\"[^"]+\\"/g, ""));

test("a row in use that has not changed keeps its answer, and one that ends does not", async () => {
  const path = pathsOf(await publish())["artifact by path"] ?? "";
  await warm(path);
  now += times.renewsRow;
  const before = readings;
  await ask("GET", path);
  while (readings === before) await Bun.sleep(1);
  now += times.renewsRow - 1;
  expect(await loadsOf(() => ask("GET", path))).toBe(0);
  now += times.inUse + times.answers;
  expect(await loadsOf(() => ask("GET", path))).toBe(1);
});
