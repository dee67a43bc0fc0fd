// Runs a coding agent without a terminal, in a separate home, with a scripted model. It must not know any agent: each has
// a file with its commands and settings.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import {
  startModelService,
  type ModelService,
  type Received,
  type ServiceForm,
  type ToolCall,
} from "@plinth/support/model-service/model-service";
import { startRefusingProxy } from "@plinth/support/refusing-proxy";

import { hung, outputOf, temporaryFolder } from "../../harness/process.ts";
import { installAgents } from "./install.ts";

/** What an agent is run with. */
export interface Place {
  /** Its `node_modules` has the agent. */
  readonly installed: string;
  readonly home: string;
  /** The origin of the scripted model service. */
  readonly modelService: string;
  /** The URL of the instance. */
  readonly publicUrl: string;
  readonly token: string;
}

export interface Agent {
  readonly name: string;
  /** The messages that it exchanges with its model. */
  readonly form: ServiceForm;
  /** The commands to run, in turn, of which the last one starts the conversation. */
  commands(place: Place): Promise<readonly (readonly string[])[]>;
  environment(place: Place): Readonly<Record<string, string>>;
  /** A result as the model receives it, where the agent writes it otherwise than as the text and images of its parts. */
  read?(received: Received): Received;
  /** The hosts that it asks for at every start, and does without. */
  readonly asksFor?: readonly string[];
  /** Whether it passes on a refusal with all that the protocol adds to it, so that its facts come more than once. */
  readonly repeatsRefusals?: true;
}

export interface Conversation extends Pick<ModelService, "offered" | "received" | "unexpected"> {
  /** What the agent printed at the end. */
  readonly printed: string;
  /** The other hosts beside loopback that it wanted to reach, as the request lines of a proxy. */
  readonly proxied: readonly string[];
}

/** For one command of an agent: starting one takes up to 15 s of processor time, on a machine that others share. */
const runMs = 3 * hung;

/** Has the agent's model make the calls. @throws if a command of the agent fails */
export async function converse(
  agent: Agent,
  { publicUrl, token }: Pick<Place, "publicUrl" | "token">,
  calls: readonly ToolCall[],
): Promise<Conversation> {
  const installed = await installAgents();
  const home = await temporaryFolder("agent");
  const service = startModelService(agent.form, calls);
  const proxy = startRefusingProxy();
  try {
    const place = { installed, home, modelService: service.origin, publicUrl, token };
    const env = { ...bareEnvironment(home, proxy.url), ...agent.environment(place) };
    const cwd = join(home, "work");
    await mkdir(cwd);
    let printed = "";
    for (const command of await agent.commands(place)) printed = await outputOf(command, { cwd, env, hungMs: runMs });
    const { offered, received, unexpected } = service;
    const read = (one: Received): Received => agent.read?.(one) ?? one;
    const proxied = proxy.asked.filter((line) => !(agent.asksFor ?? []).some((host) => line.includes(host)));
    return { offered, received: received.map(read), unexpected, printed, proxied };
  } finally {
    await service.close();
    proxy.close();
    await rm(home, { recursive: true });
  }
}

/** Without the settings of the person who runs the tests, perhaps from within an agent. */
function bareEnvironment(home: string, proxy: string): Record<string, string> {
  const kept = ["PATH", "TMPDIR", "PLINTH_TEST_RUN"].map((name) => [name, process.env[name]]);
  return {
    ...(Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Record<string, string>),
    HOME: home,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: "127.0.0.1",
  };
}
