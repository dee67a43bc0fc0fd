// Mutants that no test can kill, because the program does the same with them, each with the reason.
import type { Mutant } from "./mutant.ts";

interface Equivalent extends Pick<Mutant, "file" | "before" | "text"> {
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: "domain/access/authorize.ts",
    before: "if (!isOnArtifact(resource) || artifact === null) return false;",
    text: " && ",
    reason:
      "a share link is loaded only with an artifact, and a rule that names none asks for a permission that is in no set",
  },
  {
    file: "domain/workspaces/members.ts",
    before: "WHERE workspace_id = $1 AND user_id = $2 AND (revoked_at IS NULL OR revoked_at > now())`,",
    text: "",
    reason: "endCredentials passes over what is revoked already",
  },
  {
    file: "domain/retention/remove-events.ts",
    before: "WHERE e.workspace_id = walked.workspace_id AND e.event_id < b.id AND e.occurred_at < b.until",
    text: "WHERE true ",
    reason: "the workspace is looked at in vain: the statement that removes asks the same again",
  },
  {
    file: "cli/command/command.ts",
    before: "{ type, description, ...(valueHint && { valueHint }), ...(required && { required }) },",
    text: " || ",
    reason: "help and completion read the catalogue, and the command itself names a missing flag",
  },
  {
    file: "domain/input.ts",
    before: 'return errors.length > 0 ? errors : [{ path: "", message: "has the wrong form" }];',
    text: " >= ",
    reason: "the validator names a field for everything it refuses; the list is empty for no schema that there is",
  },
  {
    file: "domain/identity/oauth/user-code.ts",
    before: "const [drawn = 0] = crypto.getRandomValues(new Uint8Array(1));",
    text: "2",
    reason: "the second byte is drawn and not used",
  },
  {
    file: "domain/identity/auth.ts",
    before: 'if (user === null) throw new Error("the link\'s user is not there");',
    text: "{}",
    reason:
      "a link goes with its user, and a session without a user is refused by its foreign key, which is a fault too",
  },
  {
    file: "domain/workspaces/invitations.ts",
    before: "if (row === null) throw new Error(`${invitationId} was loaded and is gone`);",
    text: "{}",
    reason: "an invitation goes with its workspace alone, and reading a row that is not there is a fault too",
  },
  {
    file: "domain/projects/move.ts",
    before: "if (workspaceId > target.workspaceId) {",
    text: " >= ",
    reason: "the line before returns where they are equal",
  },
  {
    file: "domain/retention/remove-events.ts",
    before: "WHERE e.workspace_id = walked.workspace_id AND e.event_id < b.id AND e.occurred_at < b.until",
    text: "",
    reason: "the identifier bounds the walk along the index; the statement that removes asks for it again",
  },
  {
    file: "domain/events/notify-channel.ts",
    before: "const gatherMs = 5;",
    text: "6",
    reason: "changes are announced a millisecond later",
  },
];

export const equivalentOf = (mutant: Mutant): Equivalent | undefined =>
  equivalents.find(
    ({ file, before, text }) => file === mutant.file && before === mutant.before && text === mutant.text,
  );
