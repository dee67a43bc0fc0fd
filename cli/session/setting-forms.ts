// What a setting in a file must look like. Shared by the project's file and the user's.
import { slugLength, slugPattern, usernameLength } from "@plinth/contract/limits";

import type { ReadMember } from "./settings-file.ts";

/** A text of that form. */
const text =
  (what: string, isRight: (text: string) => boolean): ReadMember =>
  (value) => {
    if (typeof value !== "string" || !isRight(value)) throw new Error(`must be ${what}`);
    return value;
  };

const form = new RegExp(slugPattern);

export const owner = text(
  "the name of an account",
  (name) => form.test(name) && name.length >= usernameLength.min && name.length <= usernameLength.max,
);
export const slug = text("a slug", (name) => form.test(name) && name.length <= slugLength);

export const oneOf = (values: readonly string[]): ReadMember =>
  text(values.join(" or "), (name) => values.includes(name));
