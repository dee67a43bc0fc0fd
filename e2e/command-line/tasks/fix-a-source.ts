// Publish a jsx that does not compile, correct it where the error points, and publish it.
import { expect } from "bun:test";

import { type AgentError, line } from "./agent.ts";
import { contentOf, type TaskContext } from "./task-context.ts";

const fixed = `import { LineChart, Line } from "recharts";

export default function Sales({ data }) {
  return <LineChart data={data}><Line dataKey="sold" /></LineChart>;
}
`;
const broken = fixed.replaceAll("LineChart", "LineChrt").replace("recharts", "recharst");

export async function fixASource(context: TaskContext): Promise<void> {
  const { agent, owner, projectSlug } = context;
  let source = broken;
  const attempt = async () =>
    agent.run(line`push --project-slug ${projectSlug} ${await context.file("sales.jsx", source)} --check`);

  const places: string[] = [];
  for (let { error } = await attempt(); error !== null; { error } = await attempt()) {
    expect(error).toMatchObject({ code: "invalid_source", exitCode: 7, retryable: false });
    // The hint also says where the error is and how to check again for free.
    expect(error.hint).toContain("--check");
    if (isBusy(error)) continue;
    places.push(placeOf(error));
    source = mend(source, error);
    expect(places.length).toBeLessThan(5);
  }
  expect(places).toEqual(["1:32", "1:10"]);
  expect((await owner.client.call("artifact.listMine", {})).artifacts).toEqual([]);

  const push = () => agent.run(line`push --project-slug ${projectSlug} sales.jsx`);
  let answer = await push();
  while (isBusy(answer.error)) answer = await push();
  expect(answer.error).toBeNull();
  const { artifact } = JSON.parse(answer.text) as { artifact: { artifactId: string } };
  expect(await contentOf(context, artifact.artifactId)).toBe(fixed);
}

/** A busy machine says so, and the same source is tried again. */
const isBusy = (error: AgentError | null): boolean => error !== null && /took longer/.test(error.detail);

const placeOf = ({ errors = [] }: AgentError): string =>
  errors.map(({ line: row, column }) => `${row}:${column}`).join(" ");

/** Replaces what the error points at with what was meant. */
function mend(source: string, { errors = [] }: AgentError): string {
  const { message = "", line: row = 0, column = 0 } = errors[0] ?? {};
  const [, wrong = "", meant = ""] = /"([^"]+)"(?: cannot be imported)?\. Did you mean "([^"]+)"/.exec(message) ?? [];
  const pointedAt = (source.split("\n")[row - 1] ?? "").slice(column - 1).replace(/^"/, "");
  expect(pointedAt).toStartWith(wrong);
  return source.replaceAll(wrong, meant);
}
