// Making something public: the person is asked through a client that can show a form, and nothing is written before.
import { factsOf, textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { createMcpService, problemOf, type ToolAnswer } from "./test/messages.ts";

const { service, mcp, as } = await createMcpService();
const project = (await service.setup.project(as)).slug;
afterAll(() => service.close());

const written = () =>
  Promise.all((["artifact", "version", "audit_event"] as const).map((table) => service.setup.count(table)));
const open = { publicView: true, publicEdit: false };
const wanted = (slug: string, more: object = {}) => ({
  ...{ projectSlug: project, slug, type: "md", title: "Herons", content: "# Herons", access: open },
  ...more,
});

interface Question {
  readonly resultType: "input_required";
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: { message: string } }>>;
}

const form = { elicitation: { form: {} } };
const call = async (name: string, given: object, capabilities: object = form, inputResponses?: object) =>
  (await mcp.ask(
    "tools/call",
    { name, arguments: given, ...(inputResponses !== undefined && { inputResponses }) },
    { as, capabilities },
  )) as unknown as ToolAnswer & Question;
const accepted = { makePublic: { action: "accept", content: { confirm: true } } };

describe("a public artifact", () => {
  test("is published after the person allowed it, and not before", async () => {
    const given = wanted(service.setup.name("asked"));
    const before = await written();
    const question = await call("create_artifact", given);
    expect(question.resultType).toBe("input_required");
    expect(question.inputRequests["makePublic"]).toMatchObject({
      method: "elicitation/create",
      params: { message: expect.stringContaining("Make Herons public?") },
    });
    expect(await written()).toEqual(before);
    expect(factsOf(await call("create_artifact", given, form, accepted))).toMatchObject({ action: "created" });
  });

  test.each([
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { confirm: false } },
    { action: "accept", content: {} },
    { action: "accept" },
  ])("is not published after %j", async (answer) => {
    const before = await written();
    const refused = await call("create_artifact", wanted(service.setup.name("no")), form, { makePublic: answer });
    expect(problemOf(refused)).toMatchObject({ code: "forbidden" });
    expect(refused.content[0]?.text).toContain("nothing was written. Publish it private");
    expect(await written()).toEqual(before);
  });

  test.each([{}, { elicitation: { url: {} } }, { sampling: {} }])(
    "is published without a question by a client with %j, as a private one is by any",
    async (capabilities) => {
      const slug = service.setup.name("unasked");
      expect(factsOf(await call("create_artifact", wanted(slug), capabilities))).toMatchObject({ action: "created" });
      const hidden = wanted(service.setup.name("hidden"), { access: { publicView: false, publicEdit: false } });
      expect(factsOf(await call("create_artifact", hidden))).toMatchObject({ action: "created" });
    },
  );

  test("that is there already is updated without a question, and wrong arguments are refused without one", async () => {
    const slug = service.setup.name("there");
    await call("create_artifact", wanted(slug), {});
    const update = wanted(slug, { ifExists: "update", content: "# Two" });
    expect(factsOf(await call("create_artifact", update, { elicitation: {} }))).toMatchObject({ versionNumber: 2 });
    expect(problemOf(await call("create_artifact", wanted("No slug")))).toMatchObject({ code: "invalid_request" });
    expect(problemOf(await call("create_artifact", wanted(slug)))).toMatchObject({ code: "slug_conflict" });
  });
});

test("access is made public after the person allowed it, and only that is asked", async () => {
  const { artifactId } = await service.setup.publish(as, project, { access: { publicView: false, publicEdit: false } });
  const before = await written();
  const given = { artifactId, publicView: true };
  expect((await call("set_artifact_access", given)).resultType).toBe("input_required");
  expect(await written()).toEqual(before);
  expect(
    problemOf(await call("set_artifact_access", given, form, { makePublic: { action: "decline" } })),
  ).toMatchObject({
    code: "forbidden",
  });
  expect(textOf(await call("set_artifact_access", given, form, accepted))).toEndWith(" now can be viewed by anyone.");
  expect(textOf(await call("set_artifact_access", given))).toEndWith(" now can be viewed by anyone.");
  expect(textOf(await call("set_artifact_access", { artifactId, publicView: false }))).toContain(" now is private: ");
});
