// `set_artifact_access`: what is left out stays as it is.
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
    expect(textOf(await mcp.call("get_artifact_access", { artifactId }, { as }))).toEndWith(` ${said}`);
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
