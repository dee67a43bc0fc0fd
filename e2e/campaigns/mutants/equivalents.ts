// Mutants that no test can kill, because the program does the same with them, each with the reason.
import type { Mutant } from "./mutant.ts";

interface Equivalent extends Pick<Mutant, "file" | "before" | "text"> {
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [
  {
    file: "domain/access/authorize.ts",
    before: 'if (rule === null || !("artifact" in rule) || artifact === null) return false;',
    text: " && ",
    reason:
      "a share link is loaded only with an artifact, and a rule that names none asks for a permission that is in no set",
  },
  {
    file: "domain/workspaces/held-credentials.ts",
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
    file: "cli/command.ts",
    before: "{ type, description, ...(valueHint && { valueHint }), ...(required && { required }) },",
    text: " || ",
    reason: "help and completion read the catalogue, and the command itself names a missing flag",
  },
];

export const equivalentOf = (mutant: Mutant): Equivalent | undefined =>
  equivalents.find(
    ({ file, before, text }) => file === mutant.file && before === mutant.before && text === mutant.text,
  );
