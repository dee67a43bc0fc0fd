// One workspace's people: members with their roles and, for its admins, the pending invitations.
import { ProblemError } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";
import type { Invitation } from "@plinth/contract/schemas/account";
import { redirect } from "@sveltejs/kit";
import { pageLimit } from "@plinth/contract/limits";
import { workspaceRoles } from "@plinth/contract/roles";
import { clientOf, orSignIn } from "#lib/server/api.ts";
import { copyCommandsOf } from "#lib/server/copy-commands.ts";
import { pageInput } from "#lib/server/page-input.ts";
import { submit } from "#lib/server/submit.ts";
import { requireViewer } from "#lib/server/viewer.ts";
import { requireWorkspace } from "#lib/server/workspaces.ts";
import { roleTexts, workspaceTexts } from "#messages/workspaces.ts";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const client = clientOf(event);
  const workspaceId = event.params.slug;
  const [viewer, workspace, { members, nextCursor }, { invitations }] = await orSignIn(
    event,
    Promise.all([
      requireViewer(event),
      requireWorkspace(event, workspaceId),
      client.call("member.list", { workspaceId, ...pageInput(event.url) }),
      whereAllowed(client.call("invitation.list", { workspaceId, limit: pageLimit.max })),
    ]),
  );
  const as = copyCommandsOf(event);
  const text = workspaceTexts();
  const manages = workspace.kind === "team" && workspace.role === "admin";
  return {
    copyAs: manages
      ? [
          as(text.invitePeople, "invitation.create", {
            workspaceId: workspace.workspaceId,
            email: "grace@example.com",
            role: "member",
          }),
          ...members
            .filter(({ userId }) => userId !== viewer.userId)
            .slice(0, 1)
            .map(({ userId, role, username, email }) =>
              as(text.changeRoleOf({ name: username ?? email ?? text.aMember }), "member.setRole", {
                workspaceId: workspace.workspaceId,
                userId,
                role,
              }),
            ),
        ]
      : [],
    workspace,
    manages,
    members,
    nextCursor,
    invitations,
    ownUserId: viewer.userId,
    isNew: event.url.searchParams.has("created"),
  };
};

/** Invitations are their admins' to see; the page asks for them before it knows who is looking. */
async function whereAllowed(listed: Promise<Output<"invitation.list">>): Promise<{ invitations: Invitation[] }> {
  try {
    return await listed;
  } catch (cause) {
    if (cause instanceof ProblemError && cause.problem.status === 403) return { invitations: [] };
    throw cause;
  }
}

/** A value that is no role goes on as it is, to be refused in the API's words. */
const roleOf = (text: string) => workspaceRoles.find((role) => role === text) ?? (text as "member");

export const actions: Actions = {
  invite: (event) =>
    submit(event, "invite", async (client, field) => {
      const { email, url } = await client.call("invitation.create", {
        workspaceId: field.text("workspaceId"),
        email: field.text("email"),
        role: roleOf(field.text("role")),
      });
      return { email, url: url ?? null };
    }),

  revoke: (event) =>
    submit(event, "revoke", async (client, field) => {
      await client.call("invitation.revoke", { invitationId: field.text("invitationId") });
      return { said: workspaceTexts().invitationRevoked };
    }),

  role: (event) =>
    submit(event, "role", async (client, field) => {
      const workspaceId = field.text("workspaceId");
      const role = roleOf(field.text("role"));
      const { username, email } = await client.call("member.setRole", {
        workspaceId,
        userId: field.text("userId"),
        role,
      });
      return { said: workspaceTexts().roleChanged({ name: username ?? email ?? "", role: roleTexts().names[role] }) };
    }),

  remove: (event) =>
    submit(event, "remove", async (client, field) => {
      await client.call("member.remove", { workspaceId: field.text("workspaceId"), userId: field.text("userId") });
      return { said: workspaceTexts().removed };
    }),

  leave: async (event) => {
    const outcome = await submit(event, "leave", async (client, field) => {
      await client.call("member.leave", { workspaceId: field.text("workspaceId") });
    });
    if ("status" in outcome) return outcome;
    redirect(303, "/settings/workspaces?left");
  },
};
