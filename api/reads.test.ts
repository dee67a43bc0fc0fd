// A read inside the process and the same read over HTTP have the same result, for every caller.
import { afterAll, describe, expect, test } from "bun:test";

import { ProblemError, createClient } from "@plinth/contract/client";
import type { Input, OperationName } from "@plinth/contract/registry";

import { createReads } from "./reads.ts";
import { by, createShared } from "./test/shared-artifact.ts";
import { origin } from "./test/service.ts";

const peer = "192.0.2.53";
const { service, setup, owner, stranger, project, artifactId, viewer, make, revoke, grants, session } =
  await createShared();
const open = await setup.publish(owner.token, project, {});
afterAll(() => service.close());

const read = createReads({ instance: setup.instance, trustedProxies: new Set([peer]) }, peer);

type Sent = Record<string, string>;
const outcomeOf = (answer: Promise<unknown>) =>
  answer.then(
    (value) => ({ value }),
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      return { problem: error.problem, retryAfterSeconds: error.retryAfterSeconds };
    },
  );
const overHttp = <Name extends OperationName>(name: Name, input: Input<Name>, headers: Sent) =>
  outcomeOf(
    createClient({ baseUrl: origin, fetch: (request) => service.api(request, peer), headers }).call(name, input),
  );
const inProcess = <Name extends OperationName>(name: Name, input: Input<Name>, headers: Sent) =>
  read(name, input, new Headers(headers));

const called = { "x-request-id": "said-by-whoever-asks" };
const askers: Record<string, Sent> = {
  nobody: {},
  "the owner": await session(owner),
  "a stranger": await session(stranger),
  "the owner's key": { authorization: `Bearer ${owner.token}` },
  "a key that is none": { authorization: "Bearer plk_nothing" },
  "a link's token": by(viewer),
  "a grant's cookie": grants(viewer),
  "a cookie that is not ours": { cookie: "plinth_session=made-up.up" },
};
const { ownerUsername: ownerName, projectSlug } = open;
const questions: readonly (readonly [OperationName, Input<OperationName>])[] = [
  ["artifact.getByPath", { owner: ownerName, projectSlug, slug: open.slug }],
  ["artifact.getByPath", { owner: ownerName, projectSlug, slug: "missing" }],
  ["artifact.getByPath", { owner: "?", projectSlug: "%", slug: "a/b" }],
  ["artifact.get", { artifactId }],
  ["artifact.get", { artifactId: "no identifier" }],
  ["artifact.ticket", { artifactId, version: 1 }],
  ["version.list", { artifactId, limit: 1, cursor: undefined }],
  ["version.list", { artifactId, limit: 0 }],
  ["profile.get", {}],
  ["shareLink.list", { artifactId }],
  ["operator.stats", {}],
];

describe.each(Object.entries(askers))("%s", (_, headers) => {
  test.each(questions)("%s %j", async (name, input) => {
    const [here, there] = [
      await inProcess(name, input, { ...headers, ...called }),
      await overHttp(name, input, { ...headers, ...called }),
    ];
    // The principal is for the log of the calling process, and not in the HTTP response.
    const { principal, ...told } = here;
    expect(principal).not.toBeUndefined();
    expect(steady(told)).toEqual(steady(there));
  });
});

/** Without a ticket and its expiry, which differ each time. */
const steady = (outcome: object): unknown =>
  JSON.parse(JSON.stringify(outcome).replace(/_content\/[^/"?]+/, "_content/ticket"), (name, value: unknown) =>
    name === "expiresAt" && value !== null ? "soon" : value,
  );

test("what is asked by whose right is decided each time: a revoked link is good for nothing at once", async () => {
  const link = await make("viewer");
  expect(await inProcess("artifact.get", { artifactId }, by(link))).toHaveProperty("value.artifactId", artifactId);
  await revoke(link);
  expect(await inProcess("artifact.get", { artifactId }, by(link))).toHaveProperty("problem.status", 404);
});

test("a read counts against the visitor's address, not against the peer that forwards it", async () => {
  const addresses: string[] = [];
  const { limiter } = setup.instance;
  const instance = {
    ...setup.instance,
    limiter: { take: (budget: "reads" | "writes", key: string) => (addresses.push(key), limiter.take(budget, key)) },
  };
  const counted = createReads({ instance, trustedProxies: new Set([peer]) }, peer);
  await counted("artifact.get", { artifactId: open.artifactId }, new Headers({ "x-forwarded-for": "203.0.113.7" }));
  expect(addresses).toEqual(["address:203.0.113.7"]);
});
