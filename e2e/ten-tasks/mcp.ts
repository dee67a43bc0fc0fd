// The ten tasks by MCP: the agent sees the tools and the text of each result, as clients hand it to a model.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { days, folder, replacement, said, titleOf, type Stage } from "./tasks.ts";
import { Transcript } from "./transcript.ts";

/** @returns the number of calls, and the project that the agent chose */
export async function byMcp(stage: Stage): Promise<{ calls: number; projectSlug: string }> {
  const { instance, person, lastMonth, thisMonth, moved } = stage;
  const client = new Client({ name: "ten tasks", version: "1.0" });
  const headers = { authorization: `Bearer ${person.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${instance.origin}/mcp`), { requestInit: { headers } }),
  );
  const { tools } = await client.listTools();
  const transcript = new Transcript(["md", "update", "viewer"]);

  const answer = async (name: string, given: Record<string, unknown> = {}) => {
    const properties = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
    for (const field of Object.keys(given))
      if (!(field in properties)) throw new Error(`tools/list has no ${field} of ${name}`);
    transcript.send([given]);
    const { content, isError } = (await client.callTool({ name, arguments: given })) as Result;
    const text = content.map((part) => part.text ?? "").join("\n");
    return { isError: isError === true, text: transcript.read(text) };
  };
  const call = async (name: string, given?: Record<string, unknown>) => {
    const { isError, text } = await answer(name, given);
    if (isError) throw new Error(`dead end: ${name} ${JSON.stringify(given)}: ${text}`);
    return text;
  };

  const tasks = said(stage);
  const access = { publicView: false, publicEdit: false };
  transcript.read(tasks.daily);
  const projectSlug = transcript.found(await call("list_projects"), /\/([a-z0-9-]+)(?=[\s,·(]|$)/m);
  const page = { projectSlug, slug: "orders", type: "md", title: "Orders", access, ifExists: "update" };
  const published = await call("create_artifact", { ...page, content: days[0] });
  const artifactId = transcript.found(published, /art_[0-9a-z]{26}|https?:\/\/\S+/);
  await call("create_artifact", { ...page, content: days[1] });

  transcript.read(tasks.change);
  transcript.found(await call("get_artifact_content", { artifactId }), /7 open/);
  await call("edit_artifact", { artifactId, edits: [{ oldText: "7 open", newText: "8 open" }] });

  transcript.read(tasks.back);
  const [, before = ""] = [
    ...(await call("list_artifact_versions", { artifactId })).matchAll(/\bv(?:ersion )?(\d+)/g),
  ].map(([, n]) => n);
  await call("restore_artifact_version", { artifactId, versionNumber: Number(before) });

  transcript.read(tasks.share);
  transcript.found(
    await call("create_share_link", { artifactId, role: "viewer", label: "Client", expiresInDays: 7 }),
    /https?:\S+\/share\/\S+/,
  );

  transcript.read(tasks.find);
  const found = await call("search_artifacts", { q: "Costs", since: lastMonth, until: thisMonth });
  const costs = transcript.found(found, /^- (\S+)/m);
  transcript.found(
    await call("get_artifact_content", { artifactId: costs }),
    new RegExp(stage.report.split("\n")[2] ?? ""),
  );

  transcript.read(tasks.compare);
  transcript.found(await call("diff_artifact_versions", { artifactId, fromVersion: 1, toVersion: 2 }), /\+9 open/);

  transcript.read(tasks.folder);
  for (const [name, content] of Object.entries(folder))
    await call("create_artifact", {
      projectSlug,
      slug: name.replace(".md", ""),
      type: "md",
      title: titleOf(content),
      access,
      content,
    });

  transcript.read(tasks.conflict);
  const refused = await answer("update_artifact", { artifactId, content: replacement, expectedLatestVersion: 2 });
  transcript.found(refused.text, /version_conflict/);
  await call("edit_artifact", { artifactId, edits: [{ oldText: "9 open", newText: "10 open" }] });

  transcript.read(tasks.move);
  await call("update_artifact_details", { artifactId, slug: moved });
  transcript.read(tasks.cleanUp);
  await call("delete_artifact", { artifactId });
  await client.close();
  return { calls: transcript.calls, projectSlug };
}

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
}
