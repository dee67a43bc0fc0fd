// The refusal is a 403, also where the call that names the admins fails.
import { expect, test } from "bun:test";

import type { Workspace } from "@plinth/contract/schemas/account";
import type { RequestEvent } from "@sveltejs/kit";

import { workspace } from "../../../test/stand-in-api.ts";
import { refuseRole } from "./refuse-role.ts";

const team: Workspace = workspace({ slug: "nord", name: "Nordwind", kind: "team", role: "viewer" });

/** A visit of a page whose API answers as given. */
function visit(api: () => Promise<Response>): RequestEvent {
  const event: unknown = {
    request: new Request("https://plinth.example/dashboard/nord/publish"),
    locals: { requestId: "req_1" },
    getClientAddress: () => "192.0.2.1",
    platform: { api, publicUrl: "https://plinth.example" },
  };
  return event as RequestEvent;
}

const refusalOf = (api: () => Promise<Response>): Promise<unknown> =>
  refuseRole(visit(api), team, "You need the member role.").catch((refusal: unknown) => refusal);

const refused = (missing: string) => ({ status: 403, body: { code: "forbidden", missing } });

test("the refusal names the admins", async () => {
  const members = ["ada", null, "grace"].map((username) => ({ role: "admin", username }));
  expect(await refusalOf(() => Promise.resolve(Response.json({ members })))).toMatchObject(
    refused("You need the member role. You're a viewer. Ask an admin of Nordwind (ada, grace) to change your role."),
  );
});

test.each<readonly [string, () => Promise<Response>]>([
  ["can't be reached", () => Promise.reject(new TypeError("fetch failed"))],
  ["is unavailable", () => Promise.resolve(new Response("", { status: 503 }))],
  [
    "is cut off in its answer",
    () => Promise.resolve(new Response('{"mem', { headers: { "content-type": "application/json" } })),
  ],
])("the refusal names no admins where the API %s", async (_, api) => {
  expect(await refusalOf(api)).toMatchObject(
    refused("You need the member role. You're a viewer. Ask an admin of Nordwind to change your role."),
  );
});
