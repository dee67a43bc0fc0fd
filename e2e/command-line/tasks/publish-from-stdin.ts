// Publish a report from standard input and print only its URL, with no input but the report.
import { expect } from "bun:test";

import { line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

const report = "# Crème brûlée, sold 📈\r\n\r\n| Day | Sold |\r\n|---|---|\r\n| Mon | 12 |\r\n";

export async function publishFromStdin(context: TaskContext): Promise<void> {
  const { agent, owner } = context;

  const noProject = await agent.fails(line`push --type md -`, report);
  expect(noProject).toMatchObject({ code: "usage", exitCode: 2 });
  const { projects } = await agent.follow<{ projects: { slug: string }[] }>(noProject);
  const project = projects[0]?.slug ?? "";

  const noType = await agent.fails(line`push --project-slug ${project} -`, report);
  const type = /--type (\w+)/.exec(noType.hint ?? "")?.[1] ?? "";
  const printed = await agent.text(line`push --project-slug ${project} --type ${type} --field url -`, report);
  expect(printed).toMatch(/^http\S+\n$/);

  const [, username = "", projectSlug = "", slug = ""] = new URL(printed.trim()).pathname.split("/");
  const artifact = await owner.client.call("artifact.getByPath", { owner: username, projectSlug, slug });
  expect(artifact).toMatchObject({ url: printed.trim(), title: "Crème brûlée, sold 📈", latestVersion: 1 });
  expect(await contentOf(context, artifact.artifactId)).toBe(report);
}
