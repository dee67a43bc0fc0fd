// The ten tasks on the command line: the agent sees what a line prints, and writes what `plinth schema` lists.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Agent, line } from "../command-line/tasks/agent.ts";
import { distributions } from "../harness/distributions.ts";
import { temporaryFolder } from "../harness/process.ts";
import { days, folder, replacement, said, type Stage } from "./tasks.ts";
import { Transcript } from "./transcript.ts";

/** @returns the number of lines, and the project that the agent chose */
export async function byCommandLine(stage: Stage): Promise<{ calls: number; projectSlug: string }> {
  const { instance, person, lastMonth, thisMonth, moved } = stage;
  const directory = await temporaryFolder("ten-tasks");
  const agent = new Agent({
    command: distributions[0].command,
    directory,
    env: { HOME: directory, PATH: "/usr/bin:/bin", SERVICE_BASE_URL: instance.origin, SERVICE_TOKEN: person.token },
  });
  const transcript = new Transcript([]);
  const send = (words: readonly string[]) => transcript.send(words.filter((word) => !isCommandOrFlag.test(word)));
  const run = async (words: readonly string[]) => {
    send(words);
    return transcript.read(await agent.text(words));
  };
  const write = (name: string, text: string) => writeFile(join(directory, name), text);

  const tasks = said(stage);
  transcript.read(tasks.daily);
  const projectSlug = transcript.found(await run(line`project list`), /"slug":"([^"]+)"/);
  const push = line`push orders.md --project-slug ${projectSlug} --slug orders --private --ensure`;
  await write("orders.md", days[0]);
  const artifactId = transcript.found(await run(push), /art_[0-9a-z]{26}/);
  await write("orders.md", days[1]);
  const before = transcript.found(await run(push), /"version":(\d+)/);

  transcript.read(tasks.change);
  await run(["edit", artifactId, "--replace", "7 open", "--with", "8 open"]);
  transcript.read(tasks.back);
  await run(line`artifact restore ${artifactId} --version ${before}`);
  transcript.read(tasks.share);
  transcript.found(
    await run(line`share create ${artifactId} --role viewer --label Client --expires-in-days 7`),
    /\/share\//,
  );

  transcript.read(tasks.find);
  const costs = transcript.found(
    await run(line`search Costs --since ${lastMonth} --until ${thisMonth}`),
    /art_[0-9a-z]{26}/,
  );
  transcript.found(await run(line`cat ${costs}`), new RegExp(stage.report.split("\n")[2] ?? ""));

  transcript.read(tasks.compare);
  transcript.found(await run(line`diff ${artifactId} --from 1 --to 2`), /9 open/);

  transcript.read(tasks.folder);
  await mkdir(join(directory, "docs"));
  for (const [name, text] of Object.entries(folder)) await write(join("docs", name), text);
  await run(line`push docs --recursive --project-slug ${projectSlug}`);

  transcript.read(tasks.conflict);
  await write("orders.md", replacement);
  const words = line`artifact update ${artifactId} --file orders.md --expected-latest-version 2`;
  send(words);
  transcript.found(transcript.read(JSON.stringify(await agent.fails(words))), /version_conflict/);
  await run(["edit", artifactId, "--replace", "9 open", "--with", "10 open"]);

  transcript.read(tasks.move);
  await run(line`artifact patch ${artifactId} --slug ${moved}`);
  transcript.read(tasks.cleanUp);
  await run(line`artifact delete ${artifactId} --yes`);
  await rm(directory, { recursive: true, force: true });
  return { calls: transcript.calls, projectSlug };
}

/** Commands, flags and their closed choices, which the schema lists: `Agent` checks the first two. */
const isCommandOrFlag =
  /^(?:--[a-z-]+|push|project|list|edit|artifact|restore|share|create|search|cat|diff|update|patch|delete|viewer)$/;
