// `deploy/ci`: the script that the GitHub Action and the GitLab component run, against an instance, and the inputs that
// the two hand to it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createFixtures, type Fixtures } from "../harness/fixtures.ts";
import { distributions } from "../harness/distributions.ts";
import type { Instance } from "../harness/instance.ts";
import { fresh } from "../harness/people.ts";
import { hung, runToEnd, temporaryFolder } from "../harness/process.ts";
import { sharedInstance } from "../harness/shared.ts";

const ci = join(import.meta.dir, "../../deploy/ci");
let folder: string;
let instance: Instance;
let fixtures: Fixtures;

beforeAll(async () => {
  folder = await temporaryFolder("ci");
  instance = await sharedInstance();
  fixtures = await createFixtures(instance);
  await mkdir(join(folder, "bin"));
  await symlink(distributions[0].command[0] ?? "", join(folder, "bin/plinth"));
}, hung);

afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true });
}, hung);

/** A checkout with these files, and runs of the script in it. */
async function job(files: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(folder, "job-"));
  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const read = (name: string) => readFile(join(directory, name), "utf8").catch(() => "");
  async function run(env: Readonly<Record<string, string>>) {
    await Promise.all(["output", "summary"].map((name) => rm(join(directory, name), { force: true })));
    const ran = await runToEnd(["sh", join(ci, "push.sh")], {
      cwd: directory,
      env: {
        HOME: directory,
        PATH: `${folder}/bin:/usr/bin:/bin`,
        SERVICE_BASE_URL: instance.origin,
        SERVICE_TOKEN: fixtures.owner.token,
        PLINTH_PROJECT: `${fixtures.owner.username}/${fixtures.project.slug}`,
        GITHUB_ACTIONS: "true",
        GITHUB_OUTPUT: join(directory, "output"),
        GITHUB_STEP_SUMMARY: join(directory, "summary"),
        GITHUB_REF_NAME: "main",
        GITHUB_SHA: "0123456789abcdef",
        ...env,
      },
    });
    return { ...ran, output: await read("output"), summary: await read("summary") };
  }
  return { run, write };
}

describe("push.sh", () => {
  test("publishes, then says what changed, then that nothing did", async () => {
    const [one, two] = [fresh("one"), fresh("two")];
    const { run, write } = await job({ [`${one}.md`]: `# ${one}\n`, [`${two}.md`]: `# ${two}\n` });
    const files = { PLINTH_FILES: `${one}.md\n${two}.md\n` };
    const first = await run(files);
    const url = `${instance.origin}/${fixtures.owner.username}/${fixtures.project.slug}/${one}`;
    expect(first).toMatchObject({ code: 0, output: `url=${url}\naction=created\nversion=1\ndiff-url=\n` });
    await write(`${one}.md`, `# ${one}\n\nMore | text\n`);
    const second = await run(files);
    const diff = `${url}/history?from=1&to=2`;
    expect(second).toMatchObject({ code: 0, output: `url=${url}\naction=updated\nversion=2\ndiff-url=${diff}\n` });
    expect(second.stdout).toContain(`updated ${url} (v2)\n  diff: ${diff}\n`);
    expect(second.summary.split("\n")).toEqual([
      "| Artifact | | Changes |",
      "|---|---|---|",
      `| [${one}](${url}) | updated v2 | [+2 −0](${diff}) |`,
      `| [${two}](${url.replace(one, two)}) | unchanged v1 |  |`,
      "",
    ]);
    expect(await run(files)).toMatchObject({ code: 0, output: expect.stringContaining("action=unchanged\n") });
    const { versions } = await fixtures.owner.client.call("version.list", {
      artifactId: (
        await fixtures.owner.client.call("artifact.getByPath", {
          owner: fixtures.owner.username,
          projectSlug: fixtures.project.slug,
          slug: one,
        })
      ).artifactId,
    });
    expect(versions.map(({ changelog }) => changelog)).toEqual(["main 0123456", "main 0123456"]);
  });

  test("takes flags, and the place of an error is an annotation of its line", async () => {
    const name = fresh("private");
    const { run } = await job({ [`${name}.md`]: "Text\n", "bad.jsx": "export default () => <p>" });
    const made = await run({ PLINTH_FILES: `${name}.md`, PLINTH_ARGUMENTS: "--private\n--title\nTwo words\n" });
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining("/two-words\n") });
    expect(made.stderr).toContain("v1, private");
    const failed = await run({ PLINTH_FILES: "bad.jsx" });
    expect(failed).toMatchObject({ code: 7, output: "", summary: "" });
    expect(failed.stdout).toMatch(/^::error file=bad\.jsx,line=1,col=\d+::/m);
  });

  test("says what it needs", async () => {
    const { run } = await job({});
    expect(await run({ SERVICE_TOKEN: "", PLINTH_FILES: "a.md" })).toMatchObject({
      stderr: expect.stringContaining("SERVICE_TOKEN: is an API key"),
    });
    expect((await run({ PLINTH_FILES: "" })).stderr).toContain("PLINTH_FILES: names the files");
  });
});

describe("the inputs", () => {
  const variables = async () =>
    new Set((await readFile(join(ci, "push.sh"), "utf8")).match(/(?:PLINTH|SERVICE)_[A-Z_]+/g));

  test("of the GitHub Action are those that its steps use", async () => {
    const action = Bun.YAML.parse(await readFile(join(ci, "github/action.yml"), "utf8")) as {
      inputs: Record<string, { description: string }>;
      runs: { steps: { env: Record<string, string> }[] };
    };
    const env = Object.assign({}, ...action.runs.steps.map((step) => step.env)) as Record<string, string>;
    const used = Object.values(env).flatMap((text) =>
      [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name = ""]) => name),
    );
    expect(used.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
    const known = await variables();
    const pushed = Object.keys(action.runs.steps[1]?.env ?? {}).filter((name) => name !== "PUSH");
    for (const name of pushed) expect(known).toContain(name);
  });

  test("of the GitLab component are those that its job uses", async () => {
    const text = await readFile(join(ci, "gitlab/templates/plinth-push.yml"), "utf8");
    const [head, jobs] = Bun.YAML.parse(text) as [{ spec: { inputs: object } }, Record<string, { variables: object }>];
    const used = [...text.matchAll(/\$\[\[ inputs\.([a-z-]+) \]\]/g)].map(([, name = ""]) => name);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(head.spec.inputs).toSorted());
    const known = await variables();
    for (const job of Object.values(jobs)) for (const name of Object.keys(job.variables)) expect(known).toContain(name);
  });
});

test("a download that fails ends the job, on GitHub and on GitLab", async () => {
  const action = Bun.YAML.parse(await readFile(join(ci, "github/action.yml"), "utf8")) as {
    runs: { steps: { run: string }[] };
  };
  const [, jobs] = Bun.YAML.parse(await readFile(join(ci, "gitlab/templates/plinth-push.yml"), "utf8")) as [
    unknown,
    Record<string, { script: string[] }>,
  ];
  const installs = [action.runs.steps[0]?.run, ...Object.values(jobs).flatMap(({ script }) => script[1])];
  expect(installs).toHaveLength(2);
  for (const install of installs) {
    const home = await mkdtemp(join(folder, "install-"));
    const ran = Bun.spawnSync(["sh", "-e", "-c", install ?? ""], {
      cwd: home,
      env: {
        ...{ PATH: "/usr/bin:/bin", HOME: home, SERVICE_BASE_URL: "http://127.0.0.1:1" },
        ...{ RUNNER_TEMP: home, CI_PROJECT_DIR: home, GITHUB_PATH: join(home, "path") },
      },
    });
    expect([ran.exitCode === 0, ran.stderr.toString()]).toEqual([false, expect.stringContaining("curl")]);
  }
});
