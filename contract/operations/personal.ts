// Operations on a person's favorites and recent artifacts, and on artifacts that others share with them
// (docs/reference/contract.md §4).
import { recentArtifacts } from "../limits.ts";
import { operation } from "../operation.ts";
import { Artifact } from "../schemas/artifact.ts";
import { Body, List, Nothing } from "../schemas/shape.ts";
import { ArtifactId, page } from "../schemas/text.ts";

const favorite = {
  path: "/api/artifacts/:artifactId/favorite",
  caller: "authenticated",
  scope: "artifacts:read",
  resource: { load: "artifact", permission: "read", by: "id" },
  input: Body({ artifactId: ArtifactId }),
  output: Nothing,
  errors: ["forbidden"],
} as const;

export const addFavorite = operation({
  ...favorite,
  name: "favorite.add",
  summary: "Add an artifact to your favorites",
  method: "PUT",
  status: 204,
});

export const removeFavorite = operation({
  ...favorite,
  name: "favorite.remove",
  summary: "Remove an artifact from your favorites",
  method: "DELETE",
});

const list = {
  method: "GET",
  scope: "artifacts:read",
  resource: null,
  input: Body(page),
  output: List("artifacts", Artifact),
  etag: true,
} as const;

export const listFavorites = operation({
  ...list,
  name: "favorite.list",
  summary: "List your favorites, last updated first",
  description: "Those that you can still see, of the 1,000 that were added last.",
  path: "/api/profile/favorites",
});

const recents = "/api/profile/recents";

export const listRecents = operation({
  ...list,
  name: "recent.list",
  summary: "List the artifacts that you opened last",
  description: `Those that you can still see, of the latest ${recentArtifacts} while signed in.`,
  path: recents,
});

export const clearRecents = operation({
  name: "recent.clear",
  summary: "Clear the list of the artifacts that you opened",
  method: "DELETE",
  path: recents,
  scope: "artifacts:read",
  resource: null,
  input: Body({}),
  output: Nothing,
});

export const listSharedArtifacts = operation({
  ...list,
  name: "artifact.listShared",
  summary: "List the artifacts of other workspaces that are shared with you, last updated first",
  description: "Those whose list of people has your verified email, and those of share links that the request brings.",
  path: "/api/profile/shared",
});
