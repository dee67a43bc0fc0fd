// `set_artifact_access`: what is left out stays as it is. `get_artifact_access`: all whom it reaches.
import { textOf } from "@plinth/support/mcp-text";
import { afterAll, describe, expect, test } from "bun:test";

import { newId } from "@plinth/db/columns";

import { createMcpService, problemOf } from "./test/messages.ts";

const { service, mcp, owner, as } = await createMcpService();
const project = (await service.setup.project(as)).slug;
afterAll(() => service.close());

const viewerEmails = ["eve@example.com"];
async function publish(access: Record<string, unknown>) {
  const { artifactId } = await service.setup.publish(as, project);
  await service.setup.call("access.update", { artifactId, viewerEmails, ...access } as never, { as });
  return artifactId;
}
const set = (artifactId: string, given: Record<string, unknown>, sent = { as }) =>
  mcp.call("set_artifact_access", { artifactId, ...given }, sent);

describe("a part of the access object", () => {
  test.each([
    [
      { publicView: true },
      { publicView: true, publicEdit: false, viewerEmails },
      "can be viewed by anyone; listed as viewers: eve@example.com.",
    ],
    [
      { viewerEmails: [] },
      { publicView: false, publicEdit: false, viewerEmails: [] },
      "is private: its workspace can view it.",
    ],
    [
      { publicEdit: false },
      { publicView: false, publicEdit: false, viewerEmails },
      "is private: its workspace can view it, and eve@example.com.",
    ],
  ])("%j leaves the rest as it is", async (part, whole, said) => {
    const artifactId = await publish({ publicView: false, publicEdit: false });
    expect(textOf(await set(artifactId, part))).toEndWith(` now ${said}`);
    const [now] = textOf(await mcp.call("get_artifact_access", { artifactId }, { as })).split("\n");
    expect(now).toEndWith(` ${said}`);
    expect(await service.setup.call("access.get", { artifactId }, { as })).toEqual(whole);
  });

  test("that makes it private ends everyone's edits too", async () => {
    const artifactId = await publish({ publicView: true, publicEdit: true });
    expect(textOf(await set(artifactId, { publicView: false }))).toContain(" now is private: ");
    expect(await service.setup.call("access.get", { artifactId }, { as })).toMatchObject({
      publicView: false,
      publicEdit: false,
    });
  });

  test("that opens it for edits does not make it public, and is refused", async () => {
    const artifactId = await publish({ publicView: false, publicEdit: false });
    expect(problemOf(await set(artifactId, { publicEdit: true }))).toMatchObject({ errors: [{ path: "publicEdit" }] });
  });

  test("takes addresses as they stand in a mail", async () => {
    const artifactId = await publish({ publicView: false, publicEdit: false });
    const answer = await set(artifactId, { viewerEmails: 'Bo <bo@example.com>, "Lovelace, Ada" <ada@example.com>' });
    expect(textOf(answer)).toEndWith(" can view it, and bo@example.com, ada@example.com.");
  });

  test("takes no text without an address for an empty list", async () => {
    const artifactId = await publish({ publicView: false, publicEdit: false });
    for (const none of ["", " ", "<>", ", ;"])
      expect(problemOf(await set(artifactId, { viewerEmails: [none] }))).toMatchObject({
        code: "invalid_request",
        errors: expect.arrayContaining([expect.objectContaining({ path: "viewerEmails.0" })]),
      });
    expect((await service.setup.call("access.get", { artifactId }, { as })).viewerEmails).toEqual(viewerEmails);
  });

  test("of nothing is refused with what can be sent", async () => {
    const problem = problemOf(await set(await publish({ publicView: false, publicEdit: false }), {}));
    expect(problem["detail"]).toBe("publicView is required, or one of publicEdit, viewerEmails");
  });

  test("that is wrong is refused before what is not there", async () => {
    expect(problemOf(await set(newId("art"), { publicView: "perhaps" }))).toMatchObject({ code: "invalid_request" });
  });

  test("takes the right to read it; the whole object does not", async () => {
    const artifactId = await publish({ publicView: true, publicEdit: false });
    const key = await service.setup.key(owner.userId, ["artifacts:access:write"]);
    expect(problemOf(await set(artifactId, { publicView: false }, { as: key }))).toMatchObject({
      code: "insufficient_scope",
      requiredScope: "artifacts:access:read",
    });
    const whole = { publicView: false, publicEdit: false, viewerEmails: [] };
    expect(textOf(await set(artifactId, whole, { as: key }))).toEndWith(" now is private: its workspace can view it.");
  });
});

test("who can see it includes share links that work", async () => {
  const artifactId = await publish({ publicView: false, publicEdit: false });
  const said = async () => textOf(await mcp.call("get_artifact_access", { artifactId }, { as })).split("\n")[1];
  expect(await said()).toBe("2 people can see this. 1 person can edit this.");
  const { shareLinkId } = await service.setup.call("shareLink.create", { artifactId, role: "viewer" }, { as });
  expect(await said()).toBe("2 people and anyone with the link can see this. 1 person can edit this.");
  await service.setup.call("shareLink.revoke", { shareLinkId }, { as });
  expect(await said()).toBe("2 people can see this. 1 person can edit this.");
});
