// Maps the fields of an operation's input to flags, for the command line and for code that prints command lines.

/** The flags that do not have the field's name. */
const renamed: Readonly<Record<string, string>> = {
  ownerUsername: "owner",
  versionNumber: "version",
  /** `--token` sets the caller's credential. */
  token: "invitation-token",
};

/** `projectSlug` is `--project-slug`. */
export const flagName = (field: string): string =>
  renamed[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
