// A project as every answer writes it, `owner/slug`, where an input has its slug alone: it is taken apart into the two
// fields of the input.
import type { FieldError } from "@plinth/contract/errors";
import type { Operation } from "@plinth/contract/operation";

/** The fields for a project's slug and for its owner, of the inputs that have both. */
const pairs = [
  ["projectSlug", "ownerUsername"],
  ["project", "owner"],
] as const;

/** Takes `owner/slug` apart. Names an owner that is another one than the input's. */
export function splitProjectName({ input: { properties } }: Operation, input: Record<string, unknown>): FieldError[] {
  for (const [slugField, ownerField] of pairs) {
    const name = input[slugField];
    if (!(slugField in properties) || !(ownerField in properties) || typeof name !== "string") continue;
    const [owner = "", slug = "", ...more] = name.split("/");
    if (owner === "" || slug === "" || more.length > 0) continue;
    const given = input[ownerField];
    if (given !== undefined && given !== owner)
      return [{ path: slugField, message: `names another owner than ${ownerField}` }];
    input[ownerField] = owner;
    input[slugField] = slug;
  }
  return [];
}
