// Clients that code generators write from the served description: a program that publishes, updates and handles a conflict
// compiles under `strict`, with types called `Artifact`, `Version` and `Problem`, and runs against an instance.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";

import { send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { createPerson, createProject } from "./harness/people.ts";
import { hung, outputOf, repository, temporaryFolder } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";

setDefaultTimeout(hung);

/** By the folder of its program: the line that generates the client into `client/` or `client.ts`. */
const generators: Readonly<Record<string, readonly string[]>> = {
  "hey-api": ["openapi-ts", "--input", "../openapi.json", "--output", "client", "--client", "@hey-api/client-fetch"],
  "openapi-typescript": [
    "openapi-typescript",
    "../openapi.json",
    "--output",
    "client.ts",
    "--root-types",
    "--root-types-no-schema-prefix",
  ],
  orval: ["orval", "--config", "orval.config.mjs"],
};

/** Its address is that of the description's server. */
const orvalConfig = {
  plinth: {
    input: "../openapi.json",
    output: { target: "client.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
  },
};

const e2e = join(repository, "e2e");
let instance: Instance;
let folder: string;
beforeAll(async () => {
  [instance, folder] = await Promise.all([sharedInstance(), temporaryFolder("openapi-clients")]);
  await Bun.write(join(folder, "openapi.json"), (await send(`${instance.origin}/api/openapi.json`)).text);
  await Bun.write(join(folder, "orval/orval.config.mjs"), `export default ${JSON.stringify(orvalConfig)};`);
  await symlink(join(e2e, "node_modules"), join(folder, "node_modules"));
  await Promise.all(
    Object.entries(generators).map(async ([name, command]) => {
      await mkdir(join(folder, name), { recursive: true });
      await copyFile(join(e2e, "openapi-clients", `${name}.ts.txt`), join(folder, name, "program.ts"));
      await run(command, name);
    }),
  );
}, hung);
afterAll(async () => {
  await rm(folder, { recursive: true });
  await instance.stop();
}, hung);

/** Runs a program of `e2e/node_modules`, or a path, in the folder of a client; its standard output. */
function run([program = "", ...given]: readonly string[], name: string): Promise<string> {
  const path = program.includes("/") ? program : join(e2e, "node_modules/.bin", program);
  return outputOf([process.execPath, "--bun", path, ...given], { cwd: join(folder, name) });
}

test("the programs compile under strict", async () => {
  const options = {
    target: "ESNext",
    module: "Preserve",
    moduleResolution: "bundler",
    lib: ["ESNext", "DOM", "DOM.Iterable"],
    types: ["bun"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  const files = Object.keys(generators).map((name) => `${name}/program.ts`);
  await Bun.write(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
  await run([join(repository, "node_modules/.bin/tsc"), "--project", "."], ".");
});

test.each(Object.keys(generators))("the program of %s publishes, updates, and is told who was faster", async (name) => {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const said = await run(["./program.ts", instance.origin, person.token, person.username, slug], name);
  expect(JSON.parse(said)).toEqual({
    published: 1,
    updated: 2,
    code: "version_conflict",
    latestVersion: 2,
    changedBy: "api_key",
  });
});
