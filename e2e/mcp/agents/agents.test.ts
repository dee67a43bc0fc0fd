// The tools and results that coding agents pass to their models: the released programs from npm run without a terminal,
// and a scripted model keeps what it receives. Agents differ in the part of a tool's result that they pass on.
// `PLINTH_TRANSCRIPTS` names a folder for all that the models received.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { join } from "node:path";

import { tools } from "@plinth/contract/mcp/tools";
import { isNamed, lastWords } from "@plinth/support/model-service/model-service";

import { startInstance, type Instance } from "../../harness/instance.ts";
import { createArtifact, createPerson, createProject } from "../../harness/people.ts";
import { hung, withScreenshots } from "../../harness/process.ts";
import { untilCaptured } from "../../harness/screenshots.ts";
import { converse, type Agent, type Conversation } from "./agent.ts";
import { agents } from "./agents.ts";
import { life, type Project } from "./calls.ts";

// With the time for the download of the agents.
setDefaultTimeout(5 * hung);

const transcripts = process.env["PLINTH_TRANSCRIPTS"];

let instance: Instance;
let captured: string;
beforeAll(async () => {
  instance = await startInstance({ env: withScreenshots });
  const person = await createPerson(instance);
  const { artifactId, url } = await createArtifact(person, (await createProject(person)).slug);
  captured = url;
  await untilCaptured(instance, person, artifactId);
});
afterAll(() => instance.stop());

describe.each<Agent>(agents)("$name", (agent) => {
  let project: Project;
  let conversation: Conversation;
  beforeAll(async () => {
    const person = await createPerson(instance);
    project = await createProject(person);
    const calls = life.map(([, step]) => step(project, captured).call);
    conversation = await converse(agent, { publicUrl: instance.origin, token: person.token }, calls);
    const results = calls.map((call, at) => ({ call, received: conversation.received[at] }));
    if (transcripts !== undefined)
      await Bun.write(join(transcripts, `${agent.name}.json`), JSON.stringify(results, null, 2));
  });

  test("the model is offered every tool, makes every call, and nothing else is contacted", () => {
    const { offered, received, unexpected, printed, proxied } = conversation;
    const missing = tools.filter((tool) => !offered.some(({ name }) => isNamed(name, tool.name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(received).toHaveLength(life.length);
    expect(printed).toContain(lastWords);
    expect([...unexpected, ...proxied]).toEqual([]);
  });

  test.each(life.map(([what, step], at) => ({ what, step, at })))("$what", async ({ step, at }) => {
    const { once, never = [], images = [], isRefusal = false } = step(project, captured);
    const { text, images: shown } = conversation.received[at] ?? { text: "", images: [] };
    const most = isRefusal && agent.repeatsRefusals === true ? 1 : Number.POSITIVE_INFINITY;
    const counts = (facts: readonly string[]) =>
      facts.map((fact) => [Math.min(most, text.split(fact).length - 1), fact]);
    const seen = { once: counts(once), never: counts(never), images: shown.map(({ mediaType }) => mediaType) };
    expect(seen, text).toEqual({
      once: once.map((fact) => [1, fact]),
      never: never.map((fact) => [0, fact]),
      images: [...images],
    });
    for (const { base64 } of shown)
      expect(await new Bun.Image(Buffer.from(base64, "base64")).metadata()).toMatchObject({
        format: "webp",
        width: 600,
      });
  });
});
