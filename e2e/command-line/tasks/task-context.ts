// The context of a task: an instance, a new account with a project, a folder, and the agent. The result is checked over
// REST with the account's client.
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Distribution } from "../../harness/distributions.ts";
import type { Instance } from "../../harness/instance.ts";
import { createPerson, createProject, type Person } from "../../harness/people.ts";
import { Agent } from "./agent.ts";

export interface TaskContext {
  readonly instance: Instance;
  readonly owner: Person;
  readonly projectSlug: string;
  readonly distribution: Distribution;
  readonly folder: string;
  /** With a key of the owner that has every scope. */
  readonly agent: Agent;
  /** An agent that has only what the variables give it. */
  stranger(env?: Readonly<Record<string, string>>): Agent;
  /** Writes a file into the folder and returns its name. */
  file(name: string, content: string): Promise<string>;
}

/** Creates the context with a new account; its folder is inside `parent`. */
export async function createTaskContext(
  instance: Instance,
  distribution: Distribution,
  parent: string,
): Promise<TaskContext> {
  const owner = await createPerson(instance);
  const { slug: projectSlug } = await createProject(owner);
  const folder = await mkdtemp(join(parent, "task-"));
  // The command line can run as another user, who must be able to read the folder.
  await chmod(folder, 0o755);
  const stranger = (env: Readonly<Record<string, string>> = {}) =>
    new Agent({
      command: distribution.command,
      directory: folder,
      env: { HOME: folder, PATH: "/usr/bin:/bin", SERVICE_BASE_URL: instance.origin, ...env },
    });
  return {
    instance,
    owner,
    projectSlug,
    distribution,
    folder,
    agent: stranger({ SERVICE_TOKEN: owner.token }),
    stranger,
    file: async (name, content) => {
      await writeFile(join(folder, name), content);
      return name;
    },
  };
}

/** An artifact's latest content over REST, or that of one version. */
export async function contentOf({ owner }: TaskContext, artifactId: string, version?: number): Promise<string> {
  const answer = await owner.client.send("version.content", { artifactId, ...(version !== undefined && { version }) });
  return answer.text();
}
