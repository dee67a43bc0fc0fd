// The format of a log line: JSON for collectors, text for a terminal. Text from outside loses secrets and terminal
// control characters.

export const levels = ["error", "warn", "info"] as const;
export type Level = (typeof levels)[number];

/**
 * A line without its time and level. Values are identifiers, names and numbers: never content or text that people
 * wrote.
 */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined | readonly string[]>>;

/** Formats one JSON object, without its line feed. */
export function jsonLine(time: Date, level: Level, fields: Fields): string {
  const said = JSON.stringify(fields);
  const line = `{"time":"${time.toISOString()}","level":"${level}"${said === "{}" ? "" : ","}${said.slice(1)}`;
  // JSON does not escape these characters, and a terminal would act on them.
  return line.replace(controls, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`);
}

const controls = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Formats a line for a person: the time of day, the level of a warning or an error, then the fields. */
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

/** Without line feeds, text from outside cannot forge a log line. */
const oneLine = (value: unknown): string => String(value).replaceAll("\n", " ");

/** A reader recognizes these fields without their names. */
const bare: ReadonlySet<string> = new Set(["method", "route", "status", "message", "error", "job", "outcome"]);

/** Patterns of secrets: a mail address, a Plinth token, a Stripe key, the login in the URL of a server. */
const telling: readonly (readonly [RegExp, string])[] = [
  [/:\/\/[^\s/@]+@/g, "://<login>@"],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, "<email>"],
  [/\bpl[a-z]_[A-Za-z0-9]{16,}/g, "<token>"],
  [/\b(?:[sr]k_(?:test|live)|whsec)_\w+/g, "<key>"],
  [/\bbearer\s+\S+/gi, "bearer <token>"],
];

/** Shortens a message of a driver or a mail server, and removes secrets that it may repeat. */
export function withoutSecrets(message: string): string {
  const bounded = message.slice(0, longest);
  return telling.reduce((text, [pattern, instead]) => text.replaceAll(pattern, instead), bounded);
}

/** The longest message, in characters. */
const longest = 500;

/** The stack frames, innermost first. The lines above them repeat the message, which may contain anything. */
export const framesOf = ({ stack }: Error): string[] | undefined =>
  stack
    ?.split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "))
    .slice(0, 5);
