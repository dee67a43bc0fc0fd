// Types of flags, and of the values that a parsed command line gives to its command.

export interface Flag {
  readonly type: "string" | "boolean";
  readonly description: string;
  /** The one letter that says the same. */
  readonly short?: string;
  /** What stands for the value in help, without brackets. */
  readonly valueHint?: string;
  /** The only values taken, or the only members of a list. */
  readonly values?: readonly string[];
  readonly required?: boolean;
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** The flag of which this is another name. */
  readonly sameAs?: string;
  /** The environment variable that says the same. */
  readonly env?: string;
  /** What holds where it is not given. */
  readonly default?: unknown;
  /** JSON Schema of what the text becomes, with its bounds. */
  readonly schema?: object;
  /** The member of the operation's input it becomes. */
  readonly field?: string;
  /** Reads the text of one value. @throws Error whose message completes "--flag …" */
  readonly read?: (text: string) => unknown;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What stood on the line, read: flags by name without dashes. */
export interface Values {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  /** Flags that were not on the line: a file of settings gave them. */
  readonly filled?: ReadonlySet<string>;
}
