// The fields that a PATCH really changes, before and after, for the audit event.

export interface Changes {
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  readonly changed: boolean;
}

/** The wanted fields that differ from the row's, before and after. */
export function changedFields<Row extends object>(row: Row, wanted: Partial<Record<keyof Row, unknown>>): Changes {
  const differing = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== row[name as keyof Row],
  );
  return {
    before: Object.fromEntries(differing.map(([name]) => [name, row[name as keyof Row]])),
    after: Object.fromEntries(differing),
    changed: differing.length > 0,
  };
}
