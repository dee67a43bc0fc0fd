// The API calls of the Share popover: they read and change the artifact's access and its links.
// chooses.
import type { Output } from "@plinth/contract/registry";
import type { Access } from "@plinth/contract/schemas/artifact";
import type { ShareLink, ShareRole } from "@plinth/contract/schemas/share-link";
import { askApi, type Asked } from "#lib/ask-api.ts";
import { linkExpiryOf } from "#lib/expiry-choices.ts";

/** Of the pressed link's `data-share-of`. */
export interface SharedArtifact {
  readonly artifactId: string;
  readonly title: string;
  readonly url: string;
  readonly version: number;
  readonly latest: number;
}

export type Audience = Output<"access.audience">;

export function sharedArtifact(pressed: HTMLElement): SharedArtifact | null {
  const given = pressed.dataset["shareOf"];
  return given === undefined ? null : (JSON.parse(given) as SharedArtifact);
}

const pathOf = ({ artifactId }: SharedArtifact): string => `/api/artifacts/${artifactId}`;

export const askAudience = (artifact: SharedArtifact): Promise<Asked<Audience>> =>
  askApi(`${pathOf(artifact)}/access/audience`);

/** The first hundred members of the workspace that owns the artifact. */
export const askMembers = ({ url }: SharedArtifact): Promise<Asked<Output<"member.list">>> =>
  askApi(`/api/workspaces/${new URL(url).pathname.split("/")[1] ?? ""}/members?limit=100`);

export const askLinks = (artifact: SharedArtifact): Promise<Asked<Output<"shareLink.list">>> =>
  askApi(`${pathOf(artifact)}/share-links?limit=20`);

/** The access object is written whole; what the popover does not show stays as it is. */
export const changeAccess = (artifact: SharedArtifact, access: Access): Promise<Asked<Access>> =>
  askApi(`${pathOf(artifact)}/access`, { method: "PATCH", body: access });

export const createLink = (
  artifact: SharedArtifact,
  { role, expiry, label }: { role: ShareRole; expiry: string; label: string },
): Promise<Asked<ShareLink>> =>
  askApi(`${pathOf(artifact)}/share-links`, {
    method: "POST",
    body: { role, expiresAt: linkExpiryOf(expiry), ...(label === "" ? {} : { label }) },
  });

export const revokeLink = (shareLinkId: string): Promise<Asked<unknown>> =>
  askApi(`/api/share-links/${shareLinkId}/revoke`, { method: "POST", body: {} });
