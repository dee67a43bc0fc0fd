/** The environment variables of the process, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;
