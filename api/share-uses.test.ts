// The requests that count as a use of a share link, and the tickets that it creates (docs/reference/contract.md §3,
// docs/reference/security.md §1).
import { afterAll, describe, expect, test } from "bun:test";

import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { newId } from "@plinth/db/columns";

import { by, createShared } from "./test/shared-artifact.ts";
import type { Asked } from "./test/service.ts";

const {
  service,
  setup,
  owner,
  stranger,
  project,
  publish,
  artifactId,
  make,
  viewer,
  actorsOf,
  revoke,
  expire,
  grants,
  session,
  at,
  statusOf,
} = await createShared();
const other = await publish();
afterAll(() => service.close());

describe("what counts as a use", () => {
  const usesOf = async (link: ShareLink, of = artifactId) => {
    await setup.instance.shareUses.flush();
    const { shareLinks } = await setup.call("shareLink.list", { artifactId: of, limit: 100 }, { as: owner.token });
    return shareLinks.find(({ shareLinkId }) => shareLinkId === link.shareLinkId)?.useCount;
  };
  const ticketOf = async (link: ShareLink) => {
    const response = await service.ask("GET", at("/ticket"), { headers: by(link) });
    return new URL(((await response.json()) as { url: string }).url).pathname;
  };

  test("content that was delivered by its right: the text, and the document behind a ticket", async () => {
    const link = await make("viewer");
    expect(await statusOf("GET", at("/content"), { headers: by(link) })).toBe(200);
    expect(await usesOf(link)).toBe(1);
    expect(await statusOf("GET", at("/content"), { headers: grants(link) })).toBe(200);
    expect(await usesOf(link)).toBe(2);
    expect(await statusOf("GET", await ticketOf(link))).toBe(200);
    expect(await usesOf(link)).toBe(3);
    expect(await actorsOf("share_link.used")).toContainEqual({
      type: "share_link",
      id: link.shareLinkId,
      surface: "web",
    });
  });

  test("a document that loads itself again by its ticket: once", async () => {
    const link = await make("viewer");
    const ticket = await ticketOf(link);
    for (const query of ["", "", "?tab=2"]) expect(await statusOf("GET", ticket + query)).toBe(200);
    expect(await usesOf(link)).toBe(1);
    expect(await statusOf("GET", await ticketOf(link))).toBe(200);
    expect(await usesOf(link)).toBe(2);
  });

  test("nothing else: opening it, resolving it, headers alone, what is held already, what needs no link", async () => {
    const link = await make("editor");
    const open = await setup.publish(owner.token, project);
    const ofOpen = await make("viewer", open.artifactId);
    const headers = by(link);
    const etag = (await service.ask("GET", at("/content"), { as: owner.token })).headers.get("etag") ?? "";
    expect(await statusOf("POST", "/api/auth/share-grant", { headers })).toBe(200);
    expect(await statusOf("GET", "/api/share-links/resolve", { headers })).toBe(200);
    expect(await statusOf("HEAD", at("/content"), { headers })).toBe(200);
    expect(await statusOf("GET", at("/content"), { headers: { ...headers, "if-none-match": etag } })).toBe(304);
    expect(await statusOf("GET", at("/content?version=99"), { headers })).toBe(404);
    expect(await statusOf("GET", at(""), { headers })).toBe(200);
    expect(await statusOf("GET", at("/content"), { headers, as: owner.token })).toBe(200);
    expect(await statusOf("GET", at("/content", open.artifactId), { headers: by(ofOpen) })).toBe(200);
    const ticket = await ticketOf(link);
    expect(await statusOf("HEAD", ticket)).toBe(200);
    expect(await statusOf("GET", ticket, { headers: { "sec-fetch-dest": "document" } })).toBe(302);
    expect([await usesOf(link), await usesOf(ofOpen, open.artifactId)]).toEqual([0, 0]);
  });
});

describe("a ticket made by a link's right", () => {
  const ticketBy = async (asking: Asked) => {
    const response = await service.ask("GET", at("/ticket"), asking);
    expect(response.status).toBe(200);
    return new URL(((await response.json()) as { url: string }).url).pathname;
  };

  test("ends with the link, at the next redemption", async () => {
    const [first, second, third] = [await make("viewer"), await make("viewer"), await make("viewer")];
    const blind = await setup.key(owner.userId, ["artifacts:delete"]);
    const tickets = [
      await ticketBy({ headers: by(first) }),
      await ticketBy({ headers: { ...(await session(stranger)), ...by(second) } }),
      await ticketBy({ headers: by(third), as: blind }),
    ];
    for (const ticket of tickets) expect(await statusOf("GET", ticket)).toBe(200);
    await Promise.all([revoke(first), expire(second), revoke(third)]);
    for (const ticket of tickets) expect(await statusOf("GET", ticket)).toBe(404);
  });

  test("one made by one's own right does not need the link, nor is helped by it", async () => {
    const link = await make("viewer");
    const key = await setup.key(owner.userId, ["artifacts:read"]);
    const ticket = await ticketBy({ headers: by(link), as: key });
    await revoke(link);
    expect(await statusOf("GET", ticket)).toBe(200);
    const again = await make("viewer");
    const mine = await ticketBy({ headers: by(again), as: key });
    await setup.db.run("UPDATE credential SET revoked_at = now() WHERE last_four = $1 AND start = $2", [
      key.slice(-4),
      key.slice(0, 8),
    ]);
    expect(await statusOf("GET", mine)).toBe(404);
  });

  test("is of this artifact alone", async () => {
    const ticket = await ticketBy({ headers: { ...by(viewer), ...grants(await make("viewer", other)) } });
    expect(await statusOf("GET", ticket)).toBe(200);
    expect(await statusOf("GET", at("/ticket", newId("art")), { headers: by(viewer) })).toBe(404);
  });
});
