// Runs the Dockerfile's steps in separate folders, one for each stage, from a clean copy of the build context. Debian
// packages are not installed, only listed for the tests.
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

import { cleanEnvironment, repository } from "../harness/process.ts";
import { contextFiles, copyOf, readStages, wordsOf, type Copy, type Stage, type Step } from "./dockerfile.ts";

export interface Image {
  /** Where the working directory of the image is here. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly user: string;
  readonly debianPackages: readonly string[];
}

const workingDirectory = "/plinth";

/** Builds it below a folder. @throws Error where a step fails, or is one that is not understood here */
export async function buildImage(below: string): Promise<Image> {
  const [stages, context] = [await readStages(), await contextFiles()];
  const folders = new Map<string, string>();
  const debianPackages: string[] = [];
  for (const [n, stage] of stages.entries()) {
    const folder = join(below, stage.name ?? `stage-${n}`);
    await mkdir(folder, { recursive: true });
    const parent = folders.get(stage.from);
    if (parent !== undefined) await copyFolder(parent, folder);
    for (const step of stage.steps) await doStep(step, { folder, folders, context, debianPackages });
    if (stage.name !== null) folders.set(stage.name, folder);
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error("the Dockerfile is empty");
  return { folder: join(below, last.name ?? `stage-${stages.length - 1}`), debianPackages, ...settingsOf(last) };
}

/** What can be read without a build. */
export async function readSettings(): Promise<Pick<Image, "environment" | "command" | "healthcheck" | "user">> {
  const last = (await readStages()).at(-1);
  if (last === undefined) throw new Error("the Dockerfile is empty");
  return settingsOf(last);
}

function settingsOf({ steps }: Stage) {
  const lastOf = (instruction: string) => steps.findLast((step) => step.instruction === instruction)?.rest ?? "";
  const pairs = steps.filter(({ instruction }) => instruction === "ENV").flatMap(({ rest }) => rest.split(/\s+/));
  return {
    environment: Object.fromEntries(pairs.map((pair) => pair.split("=") as [string, string])),
    command: wordsOf(lastOf("CMD")),
    healthcheck: wordsOf(lastOf("HEALTHCHECK")),
    user: lastOf("USER"),
  };
}

interface Place {
  readonly folder: string;
  readonly folders: ReadonlyMap<string, string>;
  readonly context: readonly string[];
  readonly debianPackages: string[];
}

async function doStep(step: Step, place: Place): Promise<void> {
  const { instruction, rest } = step;
  if (instruction === "COPY") return copy(copyOf(step), place);
  if (instruction === "RUN") return runStep(rest, place);
  if (instruction === "WORKDIR" && rest !== workingDirectory) throw new Error(`WORKDIR ${rest}`);
}

async function copy({ from, sources, target }: Copy, { folder, folders, context }: Place): Promise<void> {
  const into = (path: string) => join(folder, target, path);
  for (const source of sources) {
    if (from !== null) {
      const stage = folders.get(from);
      if (stage === undefined) throw new Error(`COPY --from=${from}: there is no such stage`);
      await copyFolder(join(stage, source.slice(workingDirectory.length)), into(""), ["--link"]);
      continue;
    }
    const isFile = context.includes(source);
    const files = isFile ? [source] : context.filter((path) => source === "." || path.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`COPY ${source}: a build is given no such file`);
    for (const file of files) {
      const named = isFile ? (file.split("/").at(-1) ?? "") : source === "." ? file : file.slice(source.length + 1);
      await mkdir(dirname(into(named)), { recursive: true });
      await cp(join(repository, file), into(named));
    }
  }
}

/** With hard links where no later step changes a file. Not fs.cp, which takes far longer for tens of thousands of files. */
async function copyFolder(from: string, to: string, options: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true });
  const copying = Bun.spawn(["cp", "--archive", ...options, `${from}/.`, to], { stderr: "pipe" });
  if ((await copying.exited) !== 0) throw new Error(await new Response(copying.stderr).text());
}

async function runStep(rest: string, { folder, debianPackages }: Place): Promise<void> {
  for (const command of rest.split(" && ").map((each) => each.trim())) {
    const [name, ...words] = command.split(/\s+/);
    if (name === "bun") await runBun(words, folder);
    else if (name === "apt-get")
      debianPackages.push(...(words[0] === "install" ? words.slice(1).filter((word) => !word.startsWith("-")) : []));
    else if (!/^(?:rm -rf \/var\/lib\/apt\/lists\/\*|mkdir \/data|chown bun:bun \/data)$/.test(command))
      throw new Error(`RUN ${command}`);
  }
}

async function runBun(words: readonly string[], cwd: string): Promise<void> {
  const run = Bun.spawn([process.execPath, ...words], { cwd, env: cleanEnvironment(), stdout: "pipe", stderr: "pipe" });
  const said = Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  if ((await run.exited) !== 0) throw new Error(`RUN bun ${words.join(" ")}\n${(await said).join("\n")}`);
}
