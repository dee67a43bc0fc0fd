// Move from a key with too few scopes to one that has exactly what the work needs.
import { expect } from "bun:test";

import { isScope, type Scope } from "@plinth/contract/scopes";

import { createKey } from "../../harness/people.ts";
import { type AgentError, line } from "./agent.ts";
import type { TaskContext } from "./task-context.ts";

interface Me {
  readonly credential: { readonly scopes: readonly string[] };
}

export async function growIntoAScope(context: TaskContext): Promise<void> {
  const { instance, owner, projectSlug } = context;
  /** Creates a key, as the agent's person does on request. */
  const ask = async (wanted: readonly string[]) =>
    context.stranger({ SERVICE_TOKEN: await createKey(instance, owner.userId, wanted.filter(isScope)) });
  let agent = await ask(["artifacts:read"]);

  /** Runs a line; if the key is not allowed to, requests the missing scope and returns with a key that has it. */
  const insist = async <Value>(words: readonly string[]): Promise<Value> => {
    const answer = await agent.run(words);
    if (answer.error === null) return JSON.parse(answer.text) as Value;
    agent = await ask(await scopesFor(answer.error));
    return agent.done<Value>(words);
  };
  const scopesFor = async (error: AgentError): Promise<string[]> => {
    expect(error).toMatchObject({ code: "insufficient_scope", exitCode: 5 });
    const { credential } = await agent.follow<Me>(error);
    return [...credential.scopes, String(error["requiredScope"])];
  };

  const page = await context.file("page.md", "# Page\n");
  const { artifact } = await insist<{ artifact: { artifactId: string } }>(
    line`push --project-slug ${projectSlug} ${page}`,
  );
  const { artifactId } = artifact;
  await insist(line`artifact update ${artifactId} --file ${page}`);
  await insist(line`share create ${artifactId} --role viewer`);

  const { credential } = await agent.done<Me>(line`whoami`);
  const needed: readonly Scope[] = ["artifacts:read", "artifacts:create", "artifacts:update", "artifacts:share"];
  expect(credential.scopes.toSorted()).toEqual(needed.toSorted());
  expect(await owner.client.call("artifact.get", { artifactId })).toMatchObject({ latestVersion: 2 });
  expect((await owner.client.call("shareLink.list", { artifactId })).shareLinks).toHaveLength(1);

  // A key cannot create keys: the error sends the agent to a person, not in a circle.
  const own = await agent.fails(line`keys create --name mine --scopes artifacts:delete`);
  expect(own).toMatchObject({ code: "forbidden", exitCode: 5 });
  expect(own.hint).toContain("sign in as a person");
}
