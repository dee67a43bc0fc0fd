import type { CasesOf, Refusal, Setting } from "../test/case.ts";
import { acceptedInvitation, byViewer, changed, inViewersBrowser, invite, newTeam } from "../test/refusals.ts";
import {
  anyCredential,
  anyone,
  byPerson,
  creates,
  listOfWorkspace,
  login,
  onHiddenWorkspace,
  onInvitation,
  onSecret,
  onWorkspace,
  projectsOfWorkspace,
} from "../test/rules.ts";
import type * as operations from "./workspaces.ts";

const there = ({ workspaceId }: Setting) => ({ workspaceId });
const list = ({ workspaceId }: Setting) => ({ workspaceId, limit: 100 });

/** The owner is the only admin of a personal workspace. */
const onlyAdmin = (more: object): Refusal =>
  changed(({ owner: { workspaceId, userId } }) =>
    "userId" in more ? { ...more, workspaceId, userId } : { ...more, workspaceId },
  );

export const workspaceCases: CasesOf<typeof operations> = {
  "workspace.list": { who: byPerson(anyCredential), input: () => ({}), refused: {}, events: null },
  "workspace.create": {
    who: byPerson(login),
    input: ({ unique }) => ({ slug: unique("team"), name: "A team" }),
    refused: {
      plan_required: async (fixtures) => ({ by: await fixtures.browserOf(await fixtures.account("free")) }),
      slug_conflict: changed(({ stranger: { username } }) => ({ slug: username })),
    },
    events: "workspace.created",
  },
  "workspace.projects": { who: projectsOfWorkspace, input: list, refused: {}, events: null },
  "workspace.artifacts": { who: listOfWorkspace, input: list, refused: {}, events: null },
  "workspace.draftTicket": {
    who: onWorkspace("create projects", creates),
    input: there,
    refused: { forbidden: byViewer },
    events: null,
  },
  "member.list": { who: onWorkspace("see", anyCredential), input: there, refused: {}, events: null },
  "member.leave": {
    who: onWorkspace("leave", login),
    uses: "team",
    input: there,
    refused: { last_admin: onlyAdmin({}) },
    events: "member.removed",
  },
  "member.setRole": {
    who: onWorkspace("administer", login),
    uses: "team",
    input: ({ workspaceId, memberId }) => ({ workspaceId, userId: memberId, role: "viewer" }),
    refused: {
      forbidden: ({ viewerBrowser, owner: { workspaceId, userId } }) => ({
        by: viewerBrowser,
        changes: { workspaceId, userId },
      }),
      last_admin: onlyAdmin({ userId: "", role: "member" }),
    },
    events: "member.role_changed",
  },
  "member.remove": {
    who: onWorkspace("administer", login),
    uses: "team",
    input: ({ workspaceId, memberId }) => ({ workspaceId, userId: memberId }),
    refused: {
      forbidden: ({ viewerBrowser, owner: { workspaceId, userId } }) => ({
        by: viewerBrowser,
        changes: { workspaceId, userId },
      }),
      last_admin: onlyAdmin({ userId: "" }),
    },
    events: "member.removed",
  },
  "invitation.create": {
    who: onWorkspace("administer", login),
    uses: "team",
    input: ({ workspaceId, email }) => ({ workspaceId, email: email(), role: "viewer" }),
    refused: {
      forbidden: ({ viewerBrowser, owner: { workspaceId } }) => ({ by: viewerBrowser, changes: { workspaceId } }),
      seat_limit_reached: changed(async (fixtures) => {
        const { workspaceId, founder } = await newTeam(fixtures, "admin");
        await fixtures.operator.client.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
        return { workspaceId };
      }),
      email_conflict: changed(async (fixtures) => {
        const { workspaceId, founder } = await newTeam(fixtures, "admin");
        return { workspaceId, email: founder.email };
      }),
    },
    events: "invitation.created",
  },
  "invitation.list": {
    who: onWorkspace("administer", login),
    input: there,
    refused: { forbidden: inViewersBrowser },
    events: null,
  },
  "invitation.revoke": {
    who: onHiddenWorkspace("administer", login),
    input: async ({ invitationId }) => ({ invitationId: await invitationId() }),
    refused: {
      invitation_used: changed(async (fixtures) => {
        const { invitationId, workspaceId } = await acceptedInvitation(fixtures);
        const { userId } = fixtures.owner;
        await fixtures.operator.client.call("operator.setMember", { workspaceId, userId, role: "admin" });
        return { invitationId };
      }),
    },
    events: "invitation.revoked",
  },
  "invitation.describe": {
    who: onSecret(anyone),
    input: async ({ invitationToken }) => ({ token: await invitationToken() }),
    refused: { invitation_used: changed(async (fixtures) => ({ token: (await acceptedInvitation(fixtures)).token })) },
    events: null,
  },
  "invitation.accept": {
    who: onInvitation,
    input: async ({ invitationToken }) => ({ token: await invitationToken() }),
    refused: {
      forbidden: ({ strangerBrowser }) => ({ by: strangerBrowser }),
      invitation_used: changed(async (fixtures) => ({ token: (await acceptedInvitation(fixtures)).token })),
      seat_limit_reached: changed(async (fixtures) => {
        const { workspaceId, founder, browser } = await newTeam(fixtures);
        const token = await invite(fixtures, browser, workspaceId, fixtures.owner);
        await fixtures.operator.client.call("operator.setPlan", { workspaceId: founder.workspaceId, plan: "pro" });
        return { token };
      }),
    },
    events: ["invitation.accepted", "member.added"],
  },
};
