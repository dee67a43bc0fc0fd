// The eight scopes an API key or agent token may hold (docs/reference/contract.md §5, "Scopes").

export const scopes = [
  "artifacts:read",
  "artifacts:create",
  "artifacts:update",
  "artifacts:delete",
  "artifacts:share",
  "artifacts:access:read",
  "artifacts:access:write",
  "agents:manage",
] as const;

/** What a program is asked to want at first: to find, to publish, to change and to share. It asks for the others by step-up. */
export const usualScopes = [
  "artifacts:read",
  "artifacts:create",
  "artifacts:update",
  "artifacts:share",
  "artifacts:access:read",
  "artifacts:access:write",
] as const satisfies readonly (typeof scopes)[number][];

export type Scope = (typeof scopes)[number];

export const isScope = (name: string): name is Scope => (scopes as readonly string[]).includes(name);
