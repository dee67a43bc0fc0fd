// How a line of the log reads: JSON where it is collected, plain words on a terminal. Whatever text came from outside
// loses what could be a secret or could act on a terminal.

export const levels = ["error", "warn", "info"] as const;
export type Level = (typeof levels)[number];

/** A line without its time and level. Values are identifiers, names, numbers: never content, never what people wrote. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** One JSON object, without its line feed. */
export function jsonLine(time: Date, level: Level, fields: Fields): string {
  const said = JSON.stringify(fields);
  const line = `{"time":"${time.toISOString()}","level":"${level}"${said === "{}" ? "" : ","}${said.slice(1)}`;
  // JSON leaves these as they are, and a terminal that shows the line would act on them.
  return line.replace(controls, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

const controls = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same for somebody who reads along: the time of day, the level where something is wrong, then the fields. */
export function textLine(time: Date, level: Level, fields: Fields): string {
  const said = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.map((line) => `\n    ${oneLine(line)}`).join("") : oneLine(value);
      return bare.has(name) || Array.isArray(value) ? text : `${name}=${text}`;
    });
  const words = [time.toTimeString().slice(0, 8), ...(level === "info" ? [] : [level]), ...said].join(" ");
  return words.replace(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

/** A line feed of somebody else's would begin a line that looks like one of ours. */
const oneLine = (value: unknown): string => String(value).replaceAll("\n", " ");

/** What a reader knows by its looks. */
const bare: ReadonlySet<string> = new Set(["method", "route", "status", "message", "error", "job", "outcome"]);

/** What could be an address of mail, a token of ours, a key of Stripe's, or what it takes to log in to a server. */
const telling: readonly (readonly [RegExp, string])[] = [
  [/:\/\/[^\s/@]+@/g, "://<login>@"],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, "<email>"],
  [/\bpl[a-z]_[A-Za-z0-9]{16,}/g, "<token>"],
  [/\b(?:[sr]k_(?:test|live)|whsec)_\w+/g, "<key>"],
  [/\bbearer\s+\S+/gi, "bearer <token>"],
];

/** A message of somebody else's (a driver, a mail server) as it may be kept: bounded, and without what it may repeat. */
export function withoutSecrets(message: string): string {
  const bounded = message.slice(0, longest);
  return telling.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), bounded);
}

/** Characters of a message. */
const longest = 500;

/** Where it was thrown, innermost first. Above that a stack has the lines of the message, which may say anything. */
export const framesOf = ({ stack }: Error): string[] | undefined =>
  stack
    ?.split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, 5);
