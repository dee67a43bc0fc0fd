// What the scenario asks of a surface: to do an operation as somebody, and to say what came of it.
import { registry, type OperationName } from "@plinth/contract/registry";

import type { AuditEvent } from "@plinth/contract/schemas/audit";

import type { Participants } from "./participants.ts";

/** Somebody of the cast, or whoever holds the share link of that name and nothing else. */
export type Actor = keyof Participants["people"] | { readonly link: string };

/** What came of a step: the answer, or the code of the refusal. */
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

/** What is looked at of an event; where uses of links are recorded some at a time, no request is named. */
export type RecordedEvent = Pick<AuditEvent, "actor" | "surface"> & Partial<Pick<AuditEvent, "client" | "requestId">>;

export interface Surface {
  /** What its audit events say. */
  readonly name: "api" | "cli" | "web" | "mcp";
  /** What its people act by. */
  readonly actorType: "api_key" | "user";
  /** Which program it says it is, where its events say that. */
  readonly client?: string;
  /** Whether something was done beside it, over REST, since it has no way to. */
  readonly isBeside?: (event: Pick<RecordedEvent, "actor" | "requestId">) => boolean;
  perform(action: Action): Promise<Outcome>;
  close(): Promise<void>;
}

/** The answer of an operation without one is empty, however a surface says so. */
export const nothing: Outcome = { result: {} };

/** Whether an operation answers with text rather than JSON. */
export const isText = (operation: OperationName): boolean => registry[operation] === registry["version.content"];
