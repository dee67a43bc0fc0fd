// The downloads of the command line: what is handed out, with which checksums, and what is not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createApi, type Api } from "../app.ts";
import { createService, origin, type Service } from "../test/service.ts";
import { openClientFiles } from "./routes.ts";

const folder = mkdtempSync(join(tmpdir(), "plinth-client-"));
const places = { package: join(folder, "package"), executables: join(folder, "executables") };
const sumOf = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const linux = "plinth-linux-x64.gz";
let service: Service;
let api: Api;

beforeAll(async () => {
  for (const place of Object.values(places)) mkdirSync(place);
  writeFileSync(join(places.package, "cli.tgz"), "the package");
  writeFileSync(join(places.package, "SHA256SUMS"), `${sumOf("the package")}  cli.tgz\n`);
  writeFileSync(join(places.executables, linux), "an executable");
  writeFileSync(join(places.executables, "plinth-secret.gz"), "not listed");
  writeFileSync(join(places.executables, "SHA256SUMS"), `${sumOf("an executable")}  ${linux}\n`);
  service = await createService({ rateLimits: { reads: 1000, writes: 10 } });
  api = apiOf(service, openClientFiles(places, service.setup.instance.config.version));
  release(service.setup.instance.config.version);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const apiOf = ({ setup, runtime }: Service, clientFiles?: ReturnType<typeof openClientFiles>): Api =>
  createApi({ instance: setup.instance, runtime, trustedProxies: new Set(), ...(clientFiles && { clientFiles }) });
const release = (version: string) => writeFileSync(join(places.executables, "VERSION"), `${version}\n`);
const get = (path: string, { handler = api, headers = {}, peer = "192.0.2.1" } = {}) =>
  handler(new Request(origin + path, { headers }), peer);
const textOf = async (path: string) => (await get(path)).text();

test("the script has the address of the instance", async () => {
  expect(await textOf("/install.sh")).toContain(`url='${origin}'\n`);
});

test("the package and the executables of this version are handed out by their checksums", async () => {
  const both = `${sumOf("the package")}  cli.tgz\n${sumOf("an executable")}  ${linux}\n`;
  expect(await textOf("/_cli/SHA256SUMS")).toBe(both);
  expect(await textOf("/cli.tgz")).toBe("the package");
  expect(await textOf(`/_cli/${linux}`)).toBe("an executable");
  const { headers } = await get("/cli.tgz");
  expect(headers.get("etag")).toBe(`"${sumOf("the package")}"`);
  const again = await get("/cli.tgz", { headers: { "if-none-match": headers.get("etag") ?? "" } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("executables of another version are not handed out", async () => {
  release("0.0.1");
  expect(await textOf("/_cli/SHA256SUMS")).toBe(`${sumOf("the package")}  cli.tgz\n`);
  expect((await get(`/_cli/${linux}`)).status).toBe(404);
  release(service.setup.instance.config.version);
  expect((await get(`/_cli/${linux}`)).status).toBe(200);
});

test.each(["plinth-secret.gz", "plinth-linux-arm64.gz", "VERSION", "..%2fpackage%2fcli.tgz", "plinth-..%2fx.gz"])(
  "/_cli/%s is not found",
  async (name) => {
    const response = await get(`/_cli/${name}`);
    expect([response.status, await response.json()]).toMatchObject([404, { code: "not_found" }]);
  },
);

test("a process that has none answers not_found, and still has the script", async () => {
  const handler = apiOf(service);
  const statuses = ["/install.sh", "/cli.tgz", "/_cli/SHA256SUMS", `/_cli/${linux}`].map(
    async (path) => (await get(path, { handler })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404]);
});

test("downloads count as reads of their IP address", async () => {
  const few = await createService({ rateLimits: { reads: 4, writes: 1 } });
  const handler = apiOf(few, openClientFiles(places, few.setup.instance.config.version));
  const answers = [];
  for (const path of ["/install.sh", "/_cli/SHA256SUMS", `/_cli/${linux}`, "/cli.tgz", "/cli.tgz"])
    answers.push((await get(path, { handler, peer: "192.0.2.9" })).status);
  answers.push((await get("/cli.tgz", { handler, peer: "192.0.2.10" })).status);
  expect(answers).toEqual([200, 200, 200, 200, 429, 200]);
  await few.close();
});
