// The text form of each collection but audit events: a table. Knows no column.
import type { Agent, ApiKey, Invitation, Member, Workspace } from "@plinth/contract/schemas/account";
import type { FoundArtifact, Version } from "@plinth/contract/schemas/artifact";
import type { Job } from "@plinth/contract/schemas/instance";
import type { Project } from "@plinth/contract/schemas/project";
import type { ShareLink } from "@plinth/contract/schemas/share-link";

import type { Style } from "../terminal/style.ts";
import { table } from "../terminal/table.ts";
import {
  agentColumns,
  apiKeyColumns,
  artifactColumns,
  invitationColumns,
  jobColumns,
  memberColumns,
  projectColumns,
  shareLinkColumns,
  versionColumns,
  workspaceColumns,
} from "./columns.ts";
import { describe } from "./describe.ts";
import { snippetText } from "./snippet.ts";

/** A page of a collection as a table, or `empty`; a collection without columns is described item by item. */
export function listText(collection: string, items: readonly unknown[], style: Style, empty?: string): string {
  if (items.length === 0 && empty !== undefined) return empty;
  switch (collection) {
    case "artifacts":
      return table(
        items as readonly FoundArtifact[],
        artifactColumns,
        style,
        "No artifacts yet. Publish one: plinth push --project-slug <slug> <file>",
        ({ snippet }) => (snippet === undefined || snippet.length === 0 ? null : snippetText(snippet, style)),
      );
    case "shareLinks":
      return table(
        items as readonly ShareLink[],
        shareLinkColumns,
        style,
        "No share links. Make one: plinth share create --help",
      );
    case "jobs":
      return table(items as readonly Job[], jobColumns, style, "No jobs");
    case "versions":
      return table(items as readonly Version[], versionColumns, style, "No versions");
    case "projects":
      return table(
        items as readonly Project[],
        projectColumns,
        style,
        "No projects yet. Create one: plinth project create --help",
      );
    case "workspaces":
      return table(items as readonly Workspace[], workspaceColumns, style, "No workspaces yet");
    case "members":
      return table(items as readonly Member[], memberColumns, style, "No members");
    case "invitations":
      return table(
        items as readonly Invitation[],
        invitationColumns,
        style,
        "No pending invitations. Invite someone: plinth workspace invite --help",
      );
    case "apiKeys":
      return table(
        items as readonly ApiKey[],
        apiKeyColumns,
        style,
        "No keys yet. Create one: plinth keys create --help",
      );
    case "agents":
      return table(items as readonly Agent[], agentColumns, style, "No agents or logins. Sign in: plinth login");
    default:
      return items.length === 0 ? `No ${collection}` : items.map((item) => describe(item, style)).join("\n\n");
  }
}
