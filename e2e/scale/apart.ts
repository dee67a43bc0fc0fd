// The processes on PostgreSQL alone: two of the API, two of the web app, a worker, without a proxy. People use the
// first web app.
import { reservePort } from "@plinth/support/reserved-port";

import { ownDatabase, scaledOut } from "../harness/database.ts";
import { renderWaitMs } from "../harness/instance.ts";
import { cleanEnvironment } from "../harness/process.ts";
import { answers, begin, endAll, orKill, untilReady, type Member, type Shape } from "./shape.ts";

/** With an environment for the API and the worker beside what they need. */
export async function startApart(more: Readonly<Record<string, string>> = {}): Promise<Shape> {
  const database = await ownDatabase();
  const ports = [reservePort(), reservePort(), reservePort(), reservePort()];
  const [one, other, web, otherWeb] = ports.map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
    string,
    string,
  ];
  const given = scaledOut(database.url);
  const shared = {
    ...cleanEnvironment(),
    ...given,
    PUBLIC_URL: web,
    RENDER_WAIT_MS: renderWaitMs,
    TRUSTED_PROXIES: "127.0.0.1/32",
  };
  const run = (kind: string, port: number, own: Readonly<Record<string, string>>): Member =>
    begin(kind, [process.execPath, `server/${kind}.ts`], { ...shared, PORT: String(port), ...own });
  const apis = [run("api", ports[0] ?? 0, more), run("api", ports[1] ?? 0, more)];
  const webs = [
    run("web", ports[2] ?? 0, { API_ORIGIN: one, DATABASE_URL: "", SECRET: "", OPERATOR_TOKEN: "" }),
    run("web", ports[3] ?? 0, { API_ORIGIN: other, DATABASE_URL: "", SECRET: "", OPERATOR_TOKEN: "" }),
  ];
  const worker = run("worker", 0, { ...more, PORT: "" });
  const members = [...webs, ...apis, worker];
  const waits = [
    ...webs.map((member, n) => untilReady(member, () => answers(`${[web, otherWeb][n]}/robots.txt`))),
    ...apis.map((member, n) => untilReady(member, () => answers(`${[one, other][n]}/api/health`))),
    untilReady(worker, () => worker.child.stderr().includes("worker ready")),
  ];
  await orKill(() => members, Promise.all(waits));
  return {
    front: { origin: web, operatorToken: given["OPERATOR_TOKEN"] ?? "" },
    apis: [one, other],
    webs: [web, otherWeb],
    countsTogether: false,
    stop: async () => {
      await endAll(members);
      await database.drop();
    },
  };
}
