// Run without a terminal, a home directory and a writable folder, and with standard input closed.
import { expect } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

import { Agent, line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

export async function workInCi(context: TaskContext): Promise<void> {
  const { distribution, instance, owner, projectSlug, folder } = context;
  await context.file("report.md", "# Nightly\n");
  const nowhere = join(folder, "empty");
  await mkdir(nowhere, { mode: 0o555 });
  const job = new Agent({
    // Standard input is not even open, and the user has no name and no home.
    command: [
      "/bin/sh",
      "-c",
      `exec ${process.getuid?.() === 0 ? nobody : ""} "$@" <&-`,
      "ci",
      ...distribution.command,
    ],
    directory: nowhere,
    env: { PATH: "/usr/bin:/bin", CI: "true", SERVICE_BASE_URL: instance.origin },
  });
  const push = line`push --project-slug ${projectSlug} --ensure --file ${join(folder, "report.md")}`;

  const noToken = await job.fails(push);
  expect(noToken).toMatchObject({ code: "unauthenticated", exitCode: 4, retryable: false });
  const variable = /SERVICE_[A-Z]*TOKEN/.exec(noToken.hint ?? "")?.[0] ?? "";
  const signIn = await job.fails(line`login`);
  expect(signIn).toMatchObject({ code: "input_needed", exitCode: 10 });
  expect(signIn.hint).toContain(variable);
  expect(await job.done(line`status`)).toMatchObject({ credential: null, login: null });

  const able = job.with({ [variable]: owner.token });
  expect(await able.done(line`whoami`)).toMatchObject({ username: owner.username });
  const { artifact, action } = await able.done<{ artifact: { artifactId: string }; action: string }>(push);
  expect(action).toBe("created");
  expect(await able.done(push)).toMatchObject({ action: "unchanged" });
  // Empty standard input is an error, and the line does not wait for input.
  expect(await able.fails(line`push --project-slug ${projectSlug} --type md -`)).toMatchObject({ exitCode: 2 });

  expect(await contentOf(context, artifact.artifactId)).toBe("# Nightly\n");
  expect(await readdir(nowhere)).toEqual([]);
}

/** The user has no entry in the user database, and so no home from there. */
const nobody = "setpriv --reuid=54321 --regid=54321 --clear-groups";
