// The interface of a surface for the scenario: it performs an operation as an actor, and returns the outcome.
import { registry, type OperationName } from "@plinth/contract/registry";

import type { AuditEvent } from "@plinth/contract/schemas/audit";

import type { Participants } from "./participants.ts";

/** A participant, or a person with only the share link of that name. */
export type Actor = keyof Participants["people"] | { readonly link: string };

/** The outcome of a step: the answer, or the code of the refusal. */
export type Outcome =
  | { readonly result: unknown }
  | { readonly refused: { readonly status: number; readonly code: string } };

export interface Action {
  readonly by: Actor;
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The token of the link that `by` holds. */
  readonly shareToken: string | null;
}

/** The compared parts of an event; batches of link uses have no request ID. */
export type RecordedEvent = Pick<AuditEvent, "actor" | "surface"> & Partial<Pick<AuditEvent, "client" | "requestId">>;

export interface Surface {
  /** The surface in its audit events. */
  readonly name: "api" | "cli" | "web" | "mcp";
  /** The type of its credential. */
  readonly actorType: "api_key" | "user";
  /** The program in its events, if they have one. */
  readonly client?: string;
  /** Whether an action was done over REST, because the surface has no way to do it. */
  readonly isBeside?: (event: Pick<RecordedEvent, "actor" | "requestId">) => boolean;
  perform(action: Action): Promise<Outcome>;
  close(): Promise<void>;
}

/** The answer of an operation without output is empty, in every surface's form. */
export const nothing: Outcome = { result: {} };

/** Whether an operation answers with text rather than JSON. */
export const isText = (operation: OperationName): boolean => registry[operation] === registry["version.content"];
