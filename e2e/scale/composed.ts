// Starts what compose.yaml describes, without containers: the commands and environments of its services, its
// nginx.conf, a PostgreSQL and a Redis. Names of the containers' network become ports of this machine.
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import { lineTo, ownDatabase } from "../harness/database.ts";
import { renderWaitMs } from "../harness/instance.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { repository, temporaryFolder } from "../harness/process.ts";
import { readCompose, readVariables, type ComposeFile, type Service, type Variables } from "./compose-file.ts";
import { readStages, variablesOf, wordsOf } from "./dockerfile.ts";
import { answers, begin, endAll, orKill, untilReady, type Member, type Shape } from "./shape.ts";

export interface Composed extends Shape {
  /** Kills one process of the API and starts it again. */
  killApi(): Promise<void>;
  beginApi(): Promise<void>;
  /** What the health check of a service says of its process, counted from 1. */
  isHealthy(name: string, n: number): Promise<boolean>;
}

/** What of the machine's own a container has too. */
const machine = { PATH: process.env["PATH"] ?? "", HOME: "/tmp" };

/** Which ports a service's processes have here, for each that they listen on. */
type Ports = Readonly<Record<string, Readonly<Record<number, readonly number[]>>>>;

export async function startComposed(): Promise<Composed> {
  const redis = program("redis-server", "redis-server");
  const nginx = program("nginx", "nginx-light");
  const folder = await temporaryFolder("compose");
  // The proxy's workers run as another user.
  await chmod(folder, 0o755);
  const front = reservePort();
  const origin = `http://127.0.0.1:${front}`;
  // So many that no reader here is ever refused, and still counted.
  const variables: Variables = { ...newVariables(origin), RATE_LIMIT_READS: "1000000" };
  const { services } = await readCompose(variables);
  // Of the tests' server, at a port as another machine's would be.
  const database = await ownDatabase();
  const line = await lineTo(database.url);
  const ports = portsOf(services, front);
  const stage = (await readStages()).at(-1);
  const image = variablesOf(stage);
  const hosted = (name: string): Service => services[name] ?? missing(name);

  const environmentOfApp = (name: string, n: number): Record<string, string> => {
    const given = environmentOf(hosted(name), ports, line.url);
    const port = String(ports[name]?.[3000]?.[n]);
    const own = {
      ...machine,
      ...image,
      ...given,
      DATA_DIR: folder,
      HOST: "127.0.0.1",
      PORT: port,
      RENDER_WAIT_MS: renderWaitMs,
    };
    return given["WORKER_PORT"] === undefined ? own : { ...own, WORKER_PORT: port };
  };
  const app = (name: string, n: number): Member =>
    begin(`${name} ${n + 1}`, commandOf(hosted(name).command), environmentOfApp(name, n));
  const ofImage = stage?.steps.find(({ instruction }) => instruction === "HEALTHCHECK")?.rest ?? "[]";
  const conf = join(folder, "nginx.conf");
  await Bun.write(conf, await proxyConf(ports, folder));
  const redisCommand = [redis, ...(hosted("redis").command ?? []).slice(1), "--dir", folder, "--bind", "127.0.0.1"];
  const queue = begin("redis", [...redisCommand, "--port", String(ports["redis"]?.[6379]?.[0])], machine);
  const apis = [app("api", 0), app("api", 1)];
  const webs = [app("web", 0), app("web", 1)];
  const worker = app("worker", 0);
  const proxyCommand = (hosted("proxy").entrypoint ?? []).map((word) => (word.endsWith("/plinth.conf") ? conf : word));
  const proxy = begin("proxy", [nginx, ...proxyCommand.slice(1)], machine);
  const at = (name: string, n: number) => `http://127.0.0.1:${ports[name]?.[3000]?.[n]}`;
  const readyApi = (n: number) => untilReady(apis[n] ?? missing("api"), () => answers(`${at("api", n)}/api/health`));

  const all = () => [proxy, ...webs, ...apis, worker, queue];
  const ready = [
    readyApi(0),
    readyApi(1),
    ...webs.map((web, n) => untilReady(web, () => answers(`${at("web", n)}/robots.txt`))),
    untilReady(worker, () => worker.child.stderr().includes("worker ready")),
    untilReady(proxy, () => answers(`${origin}/api/health`)),
  ];
  await orKill(all, Promise.all(ready));
  return {
    front: { origin, operatorToken: variables["OPERATOR_TOKEN"] ?? "" },
    apis: [at("api", 0), at("api", 1)],
    webs: [at("web", 0), at("web", 1)],
    countsTogether: true,
    async killApi() {
      apis[1]?.child.process.kill("SIGKILL");
      await apis[1]?.child.process.exited;
    },
    async beginApi() {
      apis[1] = app("api", 1);
      await readyApi(1);
    },
    async isHealthy(name, n) {
      const check = hosted(name).healthcheck?.test?.slice(1) ?? wordsOf(ofImage);
      const asked = begin(`the health check of ${name}`, commandOf(check), environmentOfApp(name, n - 1));
      return (await asked.child.process.exited) === 0;
    },
    async stop() {
      await endAll(all());
      line.close();
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}

const missing = (name: string): never => {
  throw new Error(`compose.yaml has no service ${name}`);
};

/** @throws Error saying how to have it: without it nothing here would be tried */
function program(name: string, debian: string): string {
  const found = Bun.which(name, { PATH: `${process.env["PATH"]}:/usr/sbin` });
  if (found === null) throw new Error(`${name} is not installed (Debian: apt-get install ${debian})`);
  return found;
}

/** `.env` as the documentation has it made. */
function newVariables(origin: string): Variables {
  const made = Bun.spawnSync([process.execPath, "server/new-environment.ts", origin], { cwd: repository });
  if (!made.success) throw new Error(made.stderr.toString());
  const variables = readVariables(made.stdout.toString());
  for (const name of ["SECRET", "OPERATOR_TOKEN", "POSTGRES_PASSWORD"]) trackSecret(variables[name] ?? "");
  return variables;
}

/** A reserved port for each that a service's processes listen on. */
function portsOf(services: ComposeFile["services"], front: number): Ports {
  const several = (name: string) => Array.from({ length: services[name]?.deploy?.replicas ?? 1 }, reservePort);
  return {
    redis: { 6379: [reservePort()] },
    api: { 3000: several("api") },
    web: { 3000: several("web") },
    worker: { 3000: several("worker") },
    proxy: { 8080: [front], 8081: [reservePort()] },
  };
}

/** `name:port` of a service becomes a place of this machine's, and the network's addresses this machine's. */
function environmentOf({ environment = {} }: Service, ports: Ports, databaseUrl: string): Record<string, string> {
  const placed = (value: string) =>
    value
      .replace(/^postgres:\/\/\S+@db:5432\/plinth$/, databaseUrl)
      .replaceAll(/(^|[/@])([a-z]+):(\d+)/g, (all, before: string, name: string, port: string) => {
        const here = ports[name]?.[Number(port)]?.[0];
        return here === undefined ? all : `${before}127.0.0.1:${here}`;
      })
      .replace("172.30.238.0/24", "127.0.0.1/32");
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, placed(value)]));
}

/** The image's `bun` is this one. */
const commandOf = (command: readonly string[] = []): string[] =>
  command[0] === "bun" ? [process.execPath, ...command.slice(1)] : missing(`with the command ${command.join(" ")}`);

/** The proxy's own file: each name resolved ahead, as the newest nginx does by itself. */
export async function proxyConf(ports: Ports, folder: string): Promise<string> {
  const text = await Bun.file(join(repository, "deploy/nginx.conf")).text();
  const conf = text
    .replace(/^ *resolver .*\n/m, "")
    .replaceAll(
      /^( *server) ([a-z]+):(\d+) resolve( [^;]*)?;/gm,
      (_, word: string, name: string, port: string, more = "") =>
        (ports[name]?.[Number(port)] ?? []).map((here) => `${word} 127.0.0.1:${here}${more};`).join("\n"),
    )
    .replaceAll(/^( *listen) (\d+);/gm, (_, word: string, port: string) => {
      const [here] = ports["proxy"]?.[Number(port)] ?? [];
      return `${word} 127.0.0.1:${here};`;
    })
    .replaceAll(" /tmp/", ` ${folder}/`)
    // Here it is a socket, which cannot be opened by a name.
    .replace(" /dev/stderr ", ` ${folder}/failed.log `);
  if (/ resolve\b|:3000/.test(conf)) throw new Error(`deploy/nginx.conf has names left:\n${conf}`);
  return conf;
}
