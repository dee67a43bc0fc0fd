// Publish an artifact for one reader, and check that only that reader can see it.
import { expect } from "bun:test";

import { fresh } from "../../harness/people.ts";
import { line } from "./agent.ts";
import type { TaskContext } from "./task-context.ts";

interface Explained {
  readonly canView: boolean;
  readonly because: readonly { readonly rule: string }[];
}

export async function showItToOne(context: TaskContext): Promise<void> {
  const { agent, owner, instance, projectSlug } = context;
  const reader = `${fresh("reader")}@example.com`;
  const secret = await context.file("salaries.md", "# Salaries\n");
  const pushed = await agent.done<{ artifact: { artifactId: string }; url: string; visibility: string }>(
    line`push --project-slug ${projectSlug} --private ${secret}`,
  );
  expect(pushed.visibility).toBe("private");
  const { artifactId } = pushed.artifact;

  // The access object is set as a whole: each error names the next missing flag.
  const set = line`artifact access set ${artifactId} --viewer-emails ${reader}`;
  for (let error = (await agent.run(set)).error; error !== null; error = (await agent.run(set)).error) {
    expect(error).toMatchObject({ code: "usage", exitCode: 2 });
    const missing = /--no-[a-z-]+/.exec(error.detail)?.[0] ?? "";
    expect(set).not.toContain(missing);
    set.push(missing);
  }

  const explain = (email: string) => agent.done<Explained>(line`access explain ${artifactId} --email ${email}`);
  expect(await explain(reader)).toMatchObject({ canView: true, because: [{ rule: "allowlist" }] });
  expect(await explain(fresh("other") + "@example.com")).toMatchObject({ canView: false });

  // For every other caller it looks as if it did not exist.
  const get = line`artifact get ${artifactId}`;
  const stranger = context.stranger();
  const hidden = await stranger.fails(get);
  expect(hidden).toMatchObject({ code: "not_found", exitCode: 3 });
  // Without a token the first suggestion is to set one.
  expect(hidden.hint).toContain("SERVICE_TOKEN");
  const never = await stranger.fails(line`artifact get ${`${artifactId.slice(0, -4)}0000`}`);
  expect({ ...hidden, requestId: "" }).toEqual({ ...never, requestId: "" });

  const access = await owner.client.call("access.get", { artifactId });
  expect(access).toEqual({ publicView: false, publicEdit: false, viewerEmails: [reader] });
  for (const address of [`/api/artifacts/${artifactId}`, `/api/artifacts/${artifactId}/content`, pushed.url])
    expect((await fetch(new URL(address, instance.origin))).status).toBe(404);
}
