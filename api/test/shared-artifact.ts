// A private artifact with a viewer's and an editor's link, and the ways to present a link.
import { grantCookieName } from "@plinth/contract/grant-cookie";
import { decodeId } from "@plinth/contract/ids";
import type { ShareLink } from "@plinth/contract/schemas/share-link";
import { sealGrants } from "@plinth/domain/sharing/grant";
import type { TestPerson } from "@plinth/domain/test/context";

import { cookieOf, createService, origin, type Asked } from "./service.ts";

/** Headers that present a link's token. */
export const by = (link: Pick<ShareLink, "token"> | string) => ({
  "x-share-token": typeof link === "string" ? link : (link.token ?? ""),
});

export type Shared = Awaited<ReturnType<typeof createShared>>;

export async function createShared() {
  const service = await createService();
  const { setup } = service;
  const owner = await setup.person();
  const stranger = await setup.person();
  const project = (await setup.project(owner.token)).slug;

  const publish = async () => {
    const access = { publicView: false, publicEdit: false };
    return (await setup.publish(owner.token, project, { access })).artifactId;
  };
  const artifactId = await publish();
  const make = (role: "viewer" | "editor", of = artifactId): Promise<ShareLink> =>
    setup.call("shareLink.create", { artifactId: of, role, label: role }, { as: owner.token });

  /** The recorded actors of an artifact's events, in order. */
  const actorsOf = async (kind: string, of = artifactId) =>
    Array.from(
      await setup.db.run<{ type: string; id: string; surface: string }>(
        `SELECT actor ->> 'type' AS type, actor ->> 'id' AS id, surface FROM audit_event
         WHERE artifact_id = $1 AND kind = $2 ORDER BY event_id`,
        [decodeId("art", of), kind],
      ),
      (row) => ({ ...row }),
    );

  return {
    service,
    setup,
    owner,
    stranger,
    project,
    publish,
    artifactId,
    make,
    viewer: await make("viewer"),
    editor: await make("editor"),
    actorsOf,
    /** The actor of the latest content change. */
    updated: async (of = artifactId) => (await actorsOf("artifact.updated", of)).at(-1),
    revoke: ({ shareLinkId }: ShareLink) => setup.call("shareLink.revoke", { shareLinkId }, { as: owner.token }),
    /** `when` is an expression of the database's clock. */
    expire: ({ shareLinkId }: ShareLink, when = "now()") =>
      setup.db.run(`UPDATE share_link SET expires_at = ${when} WHERE share_link_id = $1`, [
        decodeId("shr", shareLinkId),
      ]),
    /** Headers of a browser that has opened links, one after the other. */
    grants: (...links: readonly ShareLink[]) => {
      const { config } = setup.instance;
      const opened = links.map(({ shareLinkId }) => shareLinkId).toReversed();
      return { cookie: `${grantCookieName(origin)}=${sealGrants(config, opened.slice(1), opened[0] ?? "")}` };
    },
    /** Headers of a browser in which the person has just signed in. */
    session: async ({ userId }: TestPerson) => ({
      cookie: cookieOf(await setup.session(userId), setup.instance.config),
    }),
    at: (path: string, of = artifactId) => `/api/artifacts/${of}${path}`,
    statusOf: async (method: string, path: string, asked: Asked = {}) => {
      const response = await service.ask(method, path, asked);
      await response.bytes();
      return response.status;
    },
  };
}
