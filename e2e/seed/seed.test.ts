// `bun run seed` against an instance that runs.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";

import { startInstance } from "../harness/instance.ts";
import { clientOf } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { cleanEnvironment, hung, repository, runToEnd } from "../harness/process.ts";
import { send } from "../harness/http.ts";

setDefaultTimeout(hung);

const instance = await startInstance();
afterAll(() => instance.stop());

const seed = (env: Readonly<Record<string, string>>) =>
  runToEnd([process.execPath, "--silent", "run", "seed"], { cwd: repository, env: { ...cleanEnvironment(), ...env } });

const place = { SERVICE_BASE_URL: instance.origin, DATA_DIR: instance.dataDir };

/** The session that the first sign-in link gives. */
async function firstSession(output: string): Promise<string> {
  const token = trackSecret(/Mara Lindqvist, admin +\S+\/login#(\S+)/.exec(output)?.[1] ?? "");
  const headers = { origin: instance.origin };
  const answer = await send(`${instance.origin}/api/auth/sign-in-link`, { method: "POST", headers, body: { token } });
  return trackSecret(answer.headers.getSetCookie()[0]?.split(";")[0] ?? "");
}

test("the company is created once, its dates lie in the past, and each run prints links that sign in", async () => {
  const first = await seed(place);
  expect(first).toMatchObject({ stderr: "", code: 0 });
  expect(first.stdout).toContain("Created Northlight Studio");
  const mara = clientOf(instance.origin, await firstSession(first.stdout));
  const { workspaces } = await mara.call("workspace.list", {});
  const workspaceId = workspaces.find(({ slug }) => slug === "northlight")?.workspaceId ?? "";
  const { artifacts } = await mara.call("workspace.artifacts", { workspaceId, limit: 50 });
  expect(artifacts.length).toBeGreaterThan(5);
  for (const { updatedAt } of artifacts) expect(Date.parse(updatedAt)).toBeLessThan(Date.now() - 3_000_000);

  const second = await seed(place);
  expect(second).toMatchObject({ stderr: "", code: 0 });
  expect(second.stdout).toContain("Northlight Studio already exists");
  const again = clientOf(instance.origin, await firstSession(second.stdout));
  expect((await again.call("profile.get", {})).username).toBe("mara");
});

test("without an instance, or without its operator token: one line that says what to do, status 1", async () => {
  const nowhere = await seed({ ...place, SERVICE_BASE_URL: "http://127.0.0.1:9" });
  expect(nowhere).toMatchObject({ stdout: "", code: 1 });
  expect(nowhere.stderr).toContain("seed: No instance answers at http://127.0.0.1:9. Run `bun run dev`");
  const unknown = await seed({ ...place, DATA_DIR: "/nowhere" });
  expect(unknown).toMatchObject({ stdout: "", code: 1 });
  expect(unknown.stderr).toContain("Set DATA_DIR or OPERATOR_TOKEN.");
});
