// Describes the difference between two access objects in words.
import { fieldsOf, textsOf } from "./audit-fields.ts";
import { listed, names, type Phrase } from "./audit-phrase.ts";

type It = Phrase[number];

/** The emails that a change of access added to the allowlist and removed from it. */
export function allowlistChange(before: unknown, after: unknown): { added: string[]; removed: string[] } {
  const [was, is] = [textsOf(fieldsOf(before)["viewerEmails"]), textsOf(fieldsOf(after)["viewerEmails"])];
  return {
    added: is.filter((email) => !was.includes(email)),
    removed: was.filter((email) => !is.includes(email)),
  };
}

/** For example "made it private and added *grace@example.org* to the allowlist". */
export function accessChange(before: unknown, after: unknown, it: It): Phrase {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const { added, removed } = allowlistChange(before, after);
  const phrases: Phrase[] = [
    ...publicChange(was["publicView"], is["publicView"], it),
    ...editChange(was["publicEdit"], is["publicEdit"], is["publicView"], it),
    ...(added.length > 0 ? [["added ", ...names(added), " to the allowlist"]] : []),
    ...(removed.length > 0 ? [["removed ", ...names(removed), " from the allowlist"]] : []),
  ];
  return phrases.length === 0 ? ["changed who can see ", it] : listed(phrases);
}

function publicChange(was: unknown, is: unknown, it: It): Phrase[] {
  if (was === is || typeof is !== "boolean") return [];
  return [["made ", it, is ? " public" : " private"]];
}

/** Says nothing where the artifact became private: a private artifact has no public editing. */
function editChange(was: unknown, is: unknown, publicView: unknown, it: It): Phrase[] {
  if (was === is || typeof is !== "boolean" || (!is && publicView !== true)) return [];
  return [is ? ["allowed anyone signed in to edit ", it] : ["turned off public editing of ", it]];
}

/** The access at creation: "" where the event does not record it. */
export function firstAccess(access: unknown): string {
  const { publicView } = fieldsOf(access);
  if (typeof publicView !== "boolean") return "";
  return publicView ? " as public" : " as private";
}
