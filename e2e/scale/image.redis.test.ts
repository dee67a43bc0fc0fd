// The image: built by the Dockerfile in a clean copy, and each of its processes started from it as a user who cannot
// write to it. It is built in one run of three; `TEST_SAMPLES=all bun run test e2e/scale/image` builds it always.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { reservePort } from "@plinth/support/reserved-port";

import packageJson from "../../package.json" with { type: "json" };
import { lineTo, ownDatabase, scaledOut } from "../harness/database.ts";
import { jsonOf, send } from "../harness/http.ts";
import { createArtifact, createPerson, createProject } from "../harness/people.ts";
import { hung, temporaryFolder } from "../harness/process.ts";
import { oneRunIn } from "../harness/test-seed.ts";
import { readStages } from "./dockerfile.ts";
import { buildImage, readSettings, type Image } from "./image.ts";
import { answers, begin, endAll, orKill, untilReady } from "./shape.ts";

setDefaultTimeout(5 * hung);

let below: string;
let image: Image;

/** If the tests run as root, the user `nobody`, who owns no file of the image. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function folderOfNobody(name: string): Promise<string> {
  const folder = join(below, name);
  await mkdir(folder);
  if (nobody.uid !== undefined) await chown(folder, nobody.uid, nobody.gid);
  return folder;
}

const ofImage = (command: readonly string[]): string[] => {
  expect(command[0]).toBe("bun");
  return [process.execPath, ...command.slice(1)];
};
const machine = { PATH: process.env["PATH"] ?? "", HOME: "/tmp" };

test("it is built on pinned images, runs as an unprivileged user, and has a health check", async () => {
  const stages = await readStages();
  const names = new Set(stages.map(({ name }) => name));
  const bases = stages.map(({ from }) => from).filter((from) => !names.has(from));
  expect(new Set(bases)).toEqual(new Set([`oven/bun:${packageJson.engines.bun}-debian`]));
  const last = stages.at(-1)?.steps.map(({ instruction }) => instruction) ?? [];
  expect(last.lastIndexOf("RUN")).toBeLessThan(last.indexOf("USER"));
  expect(last.lastIndexOf("COPY")).toBeLessThan(last.indexOf("USER"));
  const { user, environment, command } = await readSettings();
  expect(user).toBe("bun");
  expect(environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0", DATA_DIR: "/data" });
  expect(command).toEqual(["bun", "server/main.ts"]);
});

describe.each(oneRunIn(3, "the image as it is built"))("%s", () => {
  beforeAll(async () => {
    below = await temporaryFolder("image");
    await chmod(below, 0o755);
    image = await buildImage(below);
  }, 5 * hung);
  afterAll(() => rm(below, { recursive: true }));

  test("what it installs of Debian's exists there", () => {
    expect(image.debianPackages).toContain("chromium");
    const shown = Bun.spawnSync(["apt-cache", "show", "--no-all-versions", ...image.debianPackages]).stdout.toString();
    const known = [...shown.matchAll(/^Package: (\S+)$/gm)].map(([, name]) => name);
    // Where it fails for all of them, the lists were never fetched: apt-get update.
    expect(new Set(known)).toEqual(new Set(image.debianPackages));
  });

  test("nothing is in it that only building, testing or the command line takes", async () => {
    const { exited } = Bun.spawn(["test", "-d", join(image.folder, "node_modules/.bun")]);
    expect(await exited).toBe(0);
    const files = [
      ...new Bun.Glob("*/**").scanSync({ cwd: image.folder, onlyFiles: true, followSymlinks: false }),
    ].filter((path) => !path.includes("node_modules"));
    expect(
      files.filter((path) =>
        /\.test\.ts$|(^|\/)\.env|^(?:e2e\/(?!(?:support\/)?package\.json)|cli\/(?!package\.json|dist\/client\/))/.test(
          path,
        ),
      ),
    ).toEqual([]);
    const installed = [
      ...new Bun.Glob("*").scanSync({ cwd: join(image.folder, "node_modules/.bun"), onlyFiles: false }),
    ];
    for (const name of ["fast-check@", "mermaid@", "three@", "lucide-react@"])
      expect(installed.filter((folder) => folder.startsWith(name))).toEqual([]);
    for (const path of ["web/build/server.js", "runtime/dist/manifest.json", "cli/dist/client/cli.tgz"])
      expect(await Bun.file(join(image.folder, path)).exists()).toBe(true);
  });

  test("by itself it is one whole instance, which its health check finds", async () => {
    const port = reservePort();
    const origin = `http://127.0.0.1:${port}`;
    const dataDir = await folderOfNobody("data");
    const own = { DATA_DIR: dataDir, PORT: String(port), PUBLIC_URL: origin, ALLOW_LOCAL_LOGIN: "1" };
    const env = { ...machine, ...image.environment, ...own };
    const options = { cwd: image.folder, ...nobody };
    const isHealthy = async () =>
      (await begin("health", ofImage(image.healthcheck), env, options).child.process.exited) === 0;
    expect(await isHealthy()).toBe(false);
    const member = begin("standalone", ofImage(image.command), env, options);
    await orKill(
      () => [member],
      untilReady(member, () => answers(`${origin}/api/health`)),
    );
    expect(await isHealthy()).toBe(true);

    const operatorToken = (await Bun.file(join(dataDir, "operator-token")).text()).trim();
    const person = await createPerson({ origin, operatorToken });
    const { slug: projectSlug } = await createProject(person);
    const documents = {
      md: "# Hello\n\n$x^2$\n\n```ts\nconst a = 1;\n```\n",
      html: "<h1>Hello</h1>",
      jsx: 'import { Button } from "@/components/ui/button";\nimport { scaleLinear } from "d3";\nexport default () => <Button className="p-4">{scaleLinear()(1)}</Button>;',
    } as const;
    for (const type of ["md", "html", "jsx"] as const) {
      const { artifactId, slug } = await createArtifact(person, projectSlug, { type, content: documents[type] });
      const framed = await send(`${origin}/_content/p/${artifactId}/1`);
      expect([type, framed.status, framed.headers.get("content-type")]).toEqual([
        type,
        200,
        "text/html; charset=utf-8",
      ]);
      for (const path of framed.text.match(/\/_runtime\/[\w./-]+/g) ?? [])
        expect((await send(origin + path)).status).toBe(200);
      for (const path of [
        `/${person.username}/${projectSlug}/${slug}`,
        `/${person.username}/${projectSlug}/${slug}?view=source`,
      ])
        expect((await send(origin + path)).status).toBe(200);
    }
    for (const path of ["/", "/login", "/docs", "/api/openapi.json", "/llms.txt"])
      expect((await send(origin + path)).status).toBe(200);
    await endAll([member]);
    expect(await isHealthy()).toBe(false);
  });

  test("its other processes begin from it, each with its own environment", async () => {
    const database = await ownDatabase();
    const [port, webPort] = [reservePort(), reservePort()];
    const origin = `http://127.0.0.1:${webPort}`;
    const env = { ...machine, ...image.environment, PUBLIC_URL: origin, HOST: "127.0.0.1" };
    // By a port: the socket is another user's.
    const line = await lineTo(database.url);
    const stored = { ...env, ...scaledOut(line.url) };
    const options = { cwd: image.folder, ...nobody };
    const run = (kind: string, more: Record<string, string>) =>
      begin(kind, [process.execPath, `server/${kind}.ts`], more, options);
    const api = run("api", { ...stored, PORT: String(port) });
    const web = run("web", { ...env, PORT: String(webPort), API_ORIGIN: `http://127.0.0.1:${port}` });
    const worker = run("worker", stored);
    const members = [web, api, worker];
    const ready = [
      untilReady(api, () => answers(`http://127.0.0.1:${port}/api/health`)),
      untilReady(web, () => answers(`${origin}/robots.txt`)),
      untilReady(worker, () => worker.child.stderr().includes("worker ready")),
    ];
    await orKill(() => members, Promise.all(ready));
    expect(jsonOf(await send(`${origin}/api/health`))).toMatchObject({ status: "pass" });
    await endAll(members);
    line.close();
    await database.drop();
  });
});
