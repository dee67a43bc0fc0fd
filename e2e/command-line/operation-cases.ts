// The cases of a command that is one operation: it succeeds in every form and meets every refusal of the operation's
// contract, from a real instance where a line can cause it, otherwise from a stand-in.
import type { ErrorCode } from "@plinth/contract/errors";
import { errorsOf } from "@plinth/contract/operation-errors";
import { bodyFields } from "@plinth/contract/operation";
import { registry, type OperationName } from "@plinth/contract/registry";
import { validHeaders, validInput } from "@plinth/contract/test/cases";

import { rightToken, type Attempt, type Fields, type NamedOperation } from "../harness/call.ts";
import { attemptAt } from "../harness/error-cases.ts";
import type { Fixtures } from "../harness/fixtures.ts";
import {
  failureForms,
  fails,
  succeeds,
  type Case,
  type CasesOf,
  type Form,
  type Stage,
  type Success,
} from "./cases.ts";
import type { CatalogueCommand } from "./catalogue.ts";
import type { Line } from "./line.ts";
import { usageCases } from "./usage-cases.ts";
import { inBody, inFlags, takesBody, type Said } from "./words.ts";

/** What differs from the usual for a command. */
export interface Own {
  /** Added to the operation's valid input. */
  readonly fill?: (fixtures: Fixtures) => Promise<Fields> | Fields;
  /** The token of the caller that succeeds, if the fixtures' owner cannot. */
  readonly actor?: (fixtures: Fixtures) => Promise<string>;
  /** How the input becomes words; by default as flags. */
  readonly say?: (command: CatalogueCommand, input: Fields) => Said;
  /** An input that the server refuses, for a command without a body; without it no line sends one. */
  readonly invalid?: Fields;
  /** The server for the success, if a healthy instance cannot provide one. */
  readonly origin?: (stage: Stage) => string;
  /** The form of the success, if it is not a document. */
  readonly success?: Success;
  /** Codes that its words cannot cause. */
  readonly staged?: readonly ErrorCode[];
  readonly more?: CasesOf;
}

/**
 * Refusals that no line of a healthy instance causes: the client never reuses an idempotency key, stays below the rate
 * limit, and the instance is not busy.
 */
const staged: readonly ErrorCode[] = [
  "rate_limited",
  "busy",
  "unavailable",
  "idempotency_conflict",
  "version_expired",
  // A full storage takes a gigabyte: e2e/statuses tries it.
  "storage_limit_reached",
];

/** The cases of the command of this operation. */
export const operationCases =
  (name: OperationName, own: Own = {}): CasesOf =>
  (stage, command) => {
    const op: NamedOperation = { ...registry[name], name };
    const maker: Maker = { op, own, stage, command };
    return [
      ...successes(maker),
      ...refusals(maker),
      ...(takesBody(command) ? [unknownField(maker)] : []),
      ...usageCases(command, stage, () => lineOf(maker, { token: "plk_0000000000" }, stage.standIns.trap)),
      ...(own.more?.(stage, command) ?? []),
    ];
  };

export interface Maker {
  readonly op: NamedOperation;
  readonly own: Own;
  readonly stage: Stage;
  readonly command: CatalogueCommand;
}

function successes(maker: Maker): Case[] {
  const { command, stage, own, op } = maker;
  const forms: Form[] = ["text", "json", ...(command.collection === null ? [] : (["ndjson"] as const))];
  const right = async () => ({ token: await (own.actor?.(stage.fixtures) ?? rightToken(stage.fixtures, op)) });
  const plain = async () => lineOf(maker, await right(), own.origin?.(stage));
  const inJson = async () => lineOf(maker, { ...(await right()), stray: {} });
  return [
    succeeds("success", plain, own.success, forms),
    ...(takesBody(command) ? [succeeds("success from --json", inJson, own.success, ["json"])] : []),
  ];
}

function refusals(maker: Maker): Case[] {
  const { op, stage } = maker;
  const { standIns, fixtures } = stage;
  const isOperators = op.caller === "operator";
  const by = (origin: string) => async () =>
    lineOf(maker, { token: isOperators ? fixtures.instance.operatorToken : fixtures.owner.token }, origin);
  const declared = errorsOf(op).map((code) => {
    const attempt = staged.includes(code) || maker.own.staged?.includes(code) ? null : attemptOf(maker, code);
    const line = attempt === null ? by(standIns.refusing(code)) : async () => lineOf(maker, await attempt());
    return fails(code, code, line, "server");
  });
  const noToken = () => lineOf(maker, null);
  const expired = async () => lineOf(maker, { token: await stage.expired() });
  return [
    ...declared,
    ...(op.caller === "anyone"
      ? []
      : [fails("no token", "unauthenticated", noToken, isOperators ? "client" : "server")]),
    ...(isOperators ? [] : [fails("token_expired", "token_expired", expired, "server")]),
    fails("internal", "internal", by(standIns.refusing("internal")), "server"),
    fails("nobody listens", "unavailable", by(standIns.nobody)),
    interrupted(maker),
    fails("input needed", "input_needed", async () => {
      // A token is read from a terminal, but there is none.
      const { words, env } = await lineOf(maker, null, standIns.trap);
      return { words: [...words, "--token-stdin", "--no-input"], env: { ...env }, stdin: { terminal: true } };
    }),
  ];
}

function interrupted(maker: Maker): Case {
  const line = async () => {
    const { origin, asked } = maker.stage.standIns.silent();
    return { ...(await lineOf(maker, { token: "plk_0000000000" }, origin)), interrupt: asked };
  };
  return { name: "interrupted", outcome: { code: "interrupted", by: "client" }, forms: failureForms, line };
}

/** A field that the operation does not know must be an error, not be dropped. */
const unknownField = (maker: Maker): Case =>
  fails("--json with a field that is not there", "usage", () =>
    lineOf(maker, { token: "plk_0000000000", stray: { surprise: 1 } }, maker.stage.standIns.trap),
  );

/** The attempt that the instance refuses; null if only a stand-in can. */
function attemptOf({ op, own, stage, command }: Maker, code: ErrorCode): (() => Promise<Attempt>) | null {
  const { fixtures } = stage;
  if (code === "invalid_request") {
    const changes = own.invalid ?? invalidFields(op, command);
    return changes && (async () => ({ token: await rightToken(fixtures, op), changes }));
  }
  return () => attemptAt(fixtures, op, code);
}

/** A field of the body with the wrong type, or a cursor that the server never returned. */
function invalidFields(op: NamedOperation, command: CatalogueCommand): Fields | null {
  if (command.collection !== null) return { cursor: "broken" };
  const [field] = takesBody(command) ? bodyFields(op).toReversed() : [];
  return field === undefined ? null : { [field]: { surprise: 1 } };
}

/** The line that makes the attempt; without an attempt, one without a token. */
async function lineOf({ op, own, stage, command }: Maker, attempt: Attempt | null, origin?: string): Promise<Line> {
  const { fixtures } = stage;
  const input = { ...(await validInput(op.name, fixtures)), ...(await own.fill?.(fixtures)), ...attempt?.changes };
  const inJson = attempt?.stray !== undefined || Object.values(attempt?.changes ?? {}).some(isMember);
  const said = (inJson && takesBody(command) ? inBody : (own.say ?? inFlags))(command, { ...input, ...attempt?.stray });
  const token = attempt?.token;
  const share = { ...validHeaders(op.name, fixtures), ...attempt?.headers }["x-share-token"];
  return {
    ...said,
    env: {
      SERVICE_BASE_URL: origin ?? fixtures.instance.origin,
      ...(token !== undefined && (op.caller === "operator" ? { OPERATOR_TOKEN: token } : await stage.as(token))),
      ...(share !== undefined && { SERVICE_SHARE_TOKEN: share }),
    },
  };
}

/** A value that flags cannot express. */
const isMember = (value: unknown): boolean => typeof value === "object" && value !== null && "surprise" in value;
