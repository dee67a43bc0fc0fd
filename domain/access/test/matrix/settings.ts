// The setting of a call in a state of the access matrix: the artifact in that state, the workspace, or the thing of the person
// who asks or of another.
import type { Setting } from "@plinth/contract/test/case";
import { artifactStates, type ArtifactState, type Rule, type State } from "@plinth/contract/test/rules";
import { newId } from "@plinth/db/columns";

import type { Caller } from "../../../test/context.ts";
import type { Principal } from "./principals.ts";
import { formerSlug, invitationToken, type Scene } from "./scene.ts";

const never = "nobody-of-this-name";

/** The artifact state that a state is of; null where it is of something else. */
export const artifactStateIn = (state: State): ArtifactState | null =>
  artifactStates.find((known) => known === state || state.startsWith(`${known}, `)) ?? null;

export function settingIn(scene: Scene, { about }: Rule, state: State, who: Principal): Setting {
  const { setup, people, places, home, another, waiting } = scene;
  const place = places[(about === "artifact" ? artifactStateIn(state) : null) ?? "public"];
  const isMissing = state === "missing" && about !== "artifact";
  const { workspaceId, owner } = isMissing
    ? { workspaceId: newId("wsp"), owner: never }
    : state === "another's" && about === "workspace"
      ? { workspaceId: another.workspaceId, owner: another.slug }
      : { workspaceId: home.workspaceId, owner: home.username };
  /** Whose things are asked for where they are not the principal's. */
  const other = who.player === people.stranger ? people.viewer : people.stranger;
  const { own } = state === "another's" ? other : who.player;
  const thing = (atHome: string, ofPerson: string, unknown: string): string =>
    isMissing ? unknown : state === "home" ? atHome : ofPerson;
  const { publicUrl } = setup.instance.config;
  return {
    unique: (word) => setup.name(word),
    owner,
    workspaceId,
    project: { projectId: place.projectId, slug: place.projectSlug },
    artifact: {
      artifactId: place.artifactId,
      slug: place.slug,
      title: "T",
      url: `${publicUrl}/${home.username}/${place.projectSlug}/${place.slug}`,
      word: "Second",
    },
    person: { userId: isMissing ? newId("usr") : people.stranger.userId, workspaceId },
    memberId: people.billing.userId,
    size: () => 1,
    email: () => "someone@example.org",
    otherWorkspace: () => (state.endsWith("to own") ? who.player.username : another.slug),
    formerAddress: (of) =>
      of === "artifact"
        ? `${home.username}/${place.projectSlug}/${formerSlug}`
        : `${home.username}/${place.projectSlug}-${formerSlug}`,
    shareLinkId: () => place.links.viewer.shareLinkId,
    invitationId: () => (isMissing ? newId("inv") : state === "another's" ? another.invitationId : home.invitationId),
    invitationToken: () =>
      thing(invitationToken(setup, home.invitationId), own.invitation, invitationToken(setup, newId("inv"))),
    apiKeyId: () => thing(home.apiKeyId, own.apiKeyId, newId("key")),
    agentId: () => thing(home.agentId, own.agentId, newId("agt")),
    sessionId: () => thing("", own.sessionId, newId("ses")),
    signInToken: () => (isMissing ? "never-handed-out" : waiting.signInLink),
    consentQuery: () => waiting.consent(browserOf(who, people.viewer.session)),
    userCode: () => (isMissing ? "BBBB-BBBB" : waiting.userCode),
    jobId: isMissing ? "unknown" : "waiting",
  };
}

/** The browser that opens a page of the authorization server: in the principal's session, else in another person's. */
const browserOf = ({ as }: Principal, others: Caller): Caller =>
  typeof as !== "string" && as.kind === "session" ? as : others;
