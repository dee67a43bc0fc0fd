// Messages of every kind to `/mcp`, most of them with one defect: each is answered as the protocol says, no answer is a
// server error, and the instance keeps serving. Drawn from one seed; the valid ones are executed.
import { tools } from "@plinth/contract/mcp/tools";
import * as fc from "fast-check";

import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createKey } from "../harness/people.ts";
import { createFixtures, type Fixtures } from "../harness/fixtures.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { sendBatches } from "./fuzz-batches.ts";
import { families, familyOf } from "./mcp-cases.ts";
import type { Family } from "./mcp-family.ts";
import { bytesOf, draftOf, type Keys } from "./mcp-draft.ts";
import {
  callsOf,
  lasting,
  otherRequests,
  revisions,
  toolCall,
  type Calls,
  type Revision,
  type Right,
} from "./mcp-messages.ts";
import { faultsOfAnswer } from "./mcp-expectations.ts";
import { Wire } from "./wire.ts";

interface Case {
  readonly family: string;
  readonly revision: Revision;
  /** The index of the valid message. */
  readonly base: number;
  readonly data: unknown;
}

const width = 16;
const casesPerStage = 2_000;

const names = Object.keys(families);
const cases: fc.Arbitrary<Case> = fc.constantFrom(...names, "right", "argument", "argument").chain((family) =>
  fc.record({
    family: fc.constant(family),
    revision: fc.constantFrom(...revisions),
    base: fc.nat(),
    data: familyOf(family).data,
  }),
);

interface Stage {
  readonly fixtures: Fixtures;
  readonly calls: Calls;
  readonly keys: Keys;
}

async function stageOf(instance: Instance): Promise<Stage> {
  const fixtures = await createFixtures(instance);
  const session = clientOf(instance.origin, fixtures.session);
  const spent = await createKey(instance, fixtures.owner.userId);
  const { apiKeys } = await session.call("apiKey.list", { limit: 1 });
  await session.call("apiKey.revoke", { apiKeyId: apiKeys[0]?.apiKeyId ?? "" });
  return { fixtures, calls: await callsOf(fixtures), keys: { token: fixtures.owner.token, spent } };
}

function rightOf({ base, revision }: Case, { base: takes }: Family, { fixtures, calls }: Stage): Right {
  const which = (takes === "call" ? tools.map(({ name }) => name) : lasting).map((name) =>
    toolCall(name, calls.get(name) ?? {}),
  );
  const all = takes === "any" ? [...which, ...otherRequests(fixtures, revision)] : which;
  const right = all[base % all.length];
  if (right === undefined) throw new Error("there is nothing to ask");
  return right;
}

export const mcpFuzz: StressTest = {
  claim: "every message to /mcp is answered as the protocol says, and none is a fault of ours",
  count: 20_000,
  shortCount: 600,

  async run({ count, seed, only }) {
    const instance = await startInstance();
    const host = `127.0.0.1:${instance.port}`;
    const counts = new Map<string, number>();
    const note = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
    let ids = 0;
    const faultsOf = async (one: Case, wire: Wire, stage: Stage): Promise<string[]> => {
      const family = familyOf(one.family);
      const draft = draftOf(rightOf(one, family, stage), one.revision, ++ids, stage.keys);
      const expected = family.corrupt(draft, one.data);
      const answer = await wire.answerTo(bytesOf(draft, host), draft.method);
      const shown = `${JSON.stringify(one).slice(0, 200)} of ${JSON.stringify(draft.right).slice(0, 60)}`;
      if (answer === null) return [`no answer | ${shown}`];
      note(one.family);
      note(`status ${answer.status}`);
      return faultsOfAnswer(expected, answer).map(
        (fault) => `${fault} | ${shown} -> ${answer.status} ${answer.text.slice(0, 500)}`,
      );
    };
    const drawn = only === undefined ? cases : cases.filter(({ family }) => family === only);
    const stage = () => stageOf(instance);
    const options = { cases: drawn, count, seed, port: instance.port, width, stage, casesPerStage, faultsOf };
    try {
      const last = await sendBatches({ ...options, endOnFailure: true });
      await requireServing(instance, last.stage);
      return { messages: last.sent, ...Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
    } finally {
      await instance.stop();
    }
  },
};

/** Afterwards the same process answers as before. */
async function requireServing(instance: Instance, { keys }: Stage): Promise<void> {
  const health = await fetch(`${instance.origin}/api/health`);
  assert(health.status === 200, () => `health is ${health.status}`);
  const draft = draftOf(toolCall("whoami", {}), "2026-07-28", 1, keys);
  const wire = new Wire(instance.port);
  const answer = await wire.exchange(bytesOf(draft, `127.0.0.1:${instance.port}`));
  wire.close();
  assert(answer.status === 200 && faultsOfAnswer({ statuses: [200], id: 1 }, answer).length === 0, () => answer.text);
}
