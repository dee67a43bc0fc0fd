// `set_artifact_access`: what is left out stays as it is.
import { afterAll, describe, expect, test } from "bun:test";

import { newId } from "@plinth/db/columns";

import { createMcpService, problemOf, valueOf } from "./test/messages.ts";

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
    [{ publicView: true }, { publicView: true, publicEdit: false, viewerEmails }],
    [{ viewerEmails: [] }, { publicView: false, publicEdit: false, viewerEmails: [] }],
    [{ publicEdit: false }, { publicView: false, publicEdit: false, viewerEmails }],
  ])("%j leaves the rest as it is", async (part, whole) => {
    const artifactId = await publish({ publicView: false, publicEdit: false });
    expect(valueOf(await set(artifactId, part))).toEqual(whole);
    expect(await service.setup.call("access.get", { artifactId }, { as })).toEqual(whole);
  });

  test("that makes it private ends everyone's edits too", async () => {
    const artifactId = await publish({ publicView: true, publicEdit: true });
    expect(valueOf(await set(artifactId, { publicView: false }))).toMatchObject({
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
    expect(valueOf(await set(artifactId, whole, { as: key }))).toEqual(whole);
  });
});
