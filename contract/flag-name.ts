// What a field of an operation's input is called on the command line: by the command line itself, and by whatever
// writes its lines.

/** Where the flag is not the field's own name. */
const renamed: Readonly<Record<string, string>> = {
  ownerUsername: "owner",
  versionNumber: "version",
  /** `--token` is the caller's own. */
  token: "invitation-token",
};

/** `projectSlug` is `--project-slug`. */
export const flagName = (field: string): string =>
  renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
