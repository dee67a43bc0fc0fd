// The case of an operation: an input that succeeds, who may call it, how it is refused, and the event that it records. Tests of
// every surface loop over the cases, so that an operation is tested on all of them by its case alone.
import type { AuditKind } from "../audit-kinds.ts";
import type { Client } from "../client.ts";
import type { ErrorCode } from "../errors.ts";
import type { PlanId } from "../plans.ts";
import type { Input, OperationName, Output, Registry } from "../registry.ts";
import type { Rule, State } from "./rules.ts";

/** Who calls: a key, or a browser with its session. */
export interface Caller {
  readonly token: string;
  readonly client: Pick<Client, "call">;
}

/** A user, who calls by a key with every scope. */
export interface Account extends Caller {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly workspaceId: string;
}

/** The people and documents of an instance, which is a separate process or inside the test. */
export interface Fixtures {
  /** A name that nothing has yet. */
  readonly unique: (word: string) => string;
  /** Notes that a value must not appear in any answer; returns it. */
  readonly secret: (value: string) => string;
  /** Size of the largest version, in bytes. */
  readonly maxContentBytes: number;
  readonly operator: Caller;
  readonly account: (plan?: PlanId) => Promise<Account>;
  /** The browser of a user, signed in. */
  readonly browserOf: (user: Pick<Account, "userId">) => Promise<Caller>;
  /** The query of a page that asks the owner for consent, in the owner's browser. */
  readonly consentQuery: () => Promise<string>;
  /** A code that a device shows, which waits to be approved. */
  readonly userCode: () => Promise<string>;
  /** The command line, which a new user let in. */
  readonly commandLine: () => Promise<Caller>;
  /** A new agent of the owner. */
  readonly newAgent: () => Promise<Caller>;
  /** The owner of the workspace, the project and the artifacts below. */
  readonly owner: Account;
  readonly ownerBrowser: Caller;
  /** Can see the owner's workspace, and change nothing in it. */
  readonly viewer: Account;
  readonly viewerBrowser: Caller;
  readonly stranger: Account;
  readonly strangerBrowser: Caller;
  readonly project: Pick<Output<"project.create">, "projectId" | "slug">;
  /** Public markdown with two versions, and a file beside the first. */
  readonly artifact: Output<"artifact.create">;
  readonly jsx: Output<"artifact.create">;
  /** The token of a viewer link of the artifact. */
  readonly shareToken: string;
}

/** What an operation is called on. What a method returns is new at each call, where the operation uses it up. */
export interface Setting {
  readonly unique: (word: string) => string;
  /** The first part of addresses. */
  readonly owner: string;
  readonly workspaceId: string;
  readonly project: { readonly projectId: string; readonly slug: string };
  readonly artifact: {
    readonly artifactId: string;
    readonly slug: string;
    readonly title: string;
    readonly url: string;
    /** A word of its latest text. */
    readonly word: string;
  };
  /** A user other than the owner. */
  readonly person: { readonly userId: string; readonly workspaceId: string };
  /** A person in the workspace who is not its only admin. */
  readonly memberId: string;
  /** A size of another number of bytes at each call. */
  readonly size: () => number;
  /** An email address without an account. */
  readonly email: () => string;
  /** The slug of another workspace in which the owner may publish. */
  readonly otherWorkspace: () => Promise<string> | string;
  readonly formerAddress: (of: "artifact" | "project") => Promise<string> | string;
  readonly shareLinkId: () => Promise<string> | string;
  readonly invitationId: () => Promise<string> | string;
  readonly invitationToken: () => Promise<string> | string;
  readonly apiKeyId: () => Promise<string> | string;
  readonly agentId: () => Promise<string> | string;
  readonly sessionId: () => Promise<string> | string;
  readonly signInToken: () => Promise<string> | string;
  readonly consentQuery: () => Promise<string> | string;
  readonly userCode: () => Promise<string> | string;
  readonly jobId: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** A call that is refused: it differs from the valid one in what is given here. */
export interface Attempt {
  readonly by: Caller;
  /** In place of fields of the valid input. */
  readonly changes?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of an operation that takes a file. */
  readonly file?: Uint8Array<ArrayBuffer>;
  /** Fields that the operation does not have. */
  readonly stray?: Fields;
}

/** Prepares what the refusal needs. Sending the attempt changes nothing, also when it is sent again. */
export type Refusal = (fixtures: Fixtures, right: Caller) => Attempt | Promise<Attempt>;

/**
 * Codes that need no case of the operation: the harness causes them in every one by the same means, also those that a healthy
 * instance never answers with (e2e/statuses.test.ts).
 */
type Common =
  | "busy"
  | "insufficient_scope"
  | "not_found"
  | "not_implemented"
  | "storage_limit_reached"
  | "unavailable"
  | "version_expired";

type Codes<Name extends OperationName> = Registry[Name]["errors"][number];

/** The events that a call records, oldest first; `none` with the reason. */
export type Events = AuditKind | readonly AuditKind[] | { readonly none: string };

export interface OperationCase<Name extends OperationName> {
  readonly who: Rule;
  /**
   * An input that succeeds for the owner (for the operator, where the operation is theirs), each time it is made. In the
   * access matrix `state` is one of the rule's, and the setting is what exists in it.
   */
  readonly input: (setting: Setting, state?: State) => Input<Name> | Promise<Input<Name>>;
  /** Fields that are refused with `invalid_request`, beside a valid input. */
  readonly invalid?: Fields;
  /** What the call uses up, so that each takes a new one. `team`: a workspace of another founder with the owner as an admin. */
  readonly uses?: "artifact" | "project" | "team";
  /** What has to be done before the call, where the states of the access matrix do not say so. */
  readonly before?: (fixtures: Fixtures, setting: Setting) => Promise<unknown>;
  /** A caller in place of the owner by a key, or in their browser where the operation requires that. */
  readonly by?: (fixtures: Fixtures) => Promise<Caller>;
  readonly headers?: (fixtures: Fixtures) => Readonly<Record<string, string>>;
  /** Each code of the operation's `errors`, but those of every operation. */
  readonly refused: { readonly [Code in Exclude<Codes<Name>, Common>]: Refusal } & {
    readonly [Code in Extract<ErrorCode, Common>]?: Refusal;
  };
  readonly events: Registry[Name]["effect"] extends "read" ? null : Events;
}

/** The cases of the operations that a module describes. */
export type CasesOf<Module> = {
  readonly [Name in Extract<Module[keyof Module], { readonly name: OperationName }>["name"]]: OperationCase<Name>;
};
