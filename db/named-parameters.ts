// SQL with named parameters (`$artifact`), for statements with too many parameters to count. The names become positions
// once, when the module loads, so PostgreSQL gets the same constant text each time.

export interface NamedStatement<Parameters extends object> {
  /** With `$1`, `$2`, … in the order in which the names first occur. */
  readonly text: string;
  /** The values in the order of their positions. @throws where the text has a name that `parameters` lacks */
  valuesOf(parameters: Parameters): unknown[];
}

export function named<Parameters extends object>(sql: string): NamedStatement<Parameters> {
  const positions = new Map<string, number>();
  const text = sql.replaceAll(
    /(?<!\$)\$([a-z]\w*)/gi,
    (_, name: string) => `$${positions.getOrInsertComputed(name, () => positions.size + 1)}`,
  );
  const names = [...positions.keys()];
  return {
    text,
    valuesOf: (parameters) =>
      names.map((name) => {
        const value = parameters[name as keyof Parameters];
        if (value === undefined) throw new Error(`the statement needs the parameter ${name}`);
        return value;
      }),
  };
}
