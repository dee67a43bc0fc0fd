// REST as a loop over the registry: each operation is one route, and `invoke` does every check.
import { AppError, type FieldError } from "@plinth/contract/errors";
import type { Surface } from "@plinth/contract/audit-kinds";
import { carriesContent, hasBody, isOnArtifact, pathFields } from "@plinth/contract/operation";
import { operations } from "@plinth/contract/registry";
import { pageViewHeader } from "@plinth/contract/page-view";
import { bodyBytesBeyondContent, expiryWarningDays, filesLimits, idempotencyKeyLength } from "@plinth/contract/limits";
import type { Config } from "@plinth/domain/config";
import type { Instance } from "@plinth/domain/context";
import type { Call, RequestCredentials } from "@plinth/domain/access/call";
import { fromRest, type Checked, type NamedOperation } from "@plinth/domain/input";
import { rateLimitHeaders } from "@plinth/domain/rate-limit";
import { refuseCredential } from "@plinth/domain/request/credential";
import { identify } from "@plinth/domain/request/identify";
import { refuse } from "@plinth/domain/request/input";
import { invoke } from "@plinth/domain/request/invoke";
import { answerOf, unknownSender, type Answer, type Outcome } from "@plinth/domain/request/outcome";
import { accountOf, isPerson, type Principal } from "@plinth/domain/access/principal";
import { fileTooLarge } from "@plinth/domain/files/upload";
import { contentTooLarge } from "@plinth/domain/storage/size";
import { percentDecoded } from "@plinth/platform/malformed";
import type { Elysia } from "elysia";

import { contentBodyBytes, readBody, readFile, type Reading } from "./body.ts";
import { credentialOf, shareOf } from "./credential.ts";
import { fieldsErrors, withFields } from "./list-fields.ts";
import { withNextStep } from "./next-step.ts";
import { problemResponse } from "./problem.ts";
import { malformedParameters } from "./query.ts";
import { shownPrincipal, type MetaOf, type RequestMeta } from "./request-meta.ts";
import { heldTags, respond } from "./respond.ts";
import { requireOwnPage } from "./same-origin.ts";

/** The dependencies of the operations' routes. */
interface RestServing {
  readonly instance: Instance;
  /** Keeps answers that the next reader gets too. */
  readonly readyReads: { keep(request: Request, answer: Answer): void };
}

/** Adds a route for every operation. */
export function addOperations(app: Elysia, serving: RestServing, metaOf: MetaOf): void {
  for (const op of operations) {
    // The router requires the same name for a path segment in all routes; operations choose their own names.
    const fields = pathFields(op);
    const placed = fields.map((field, place) => [field, `p${place}`] as const);
    const path = fields.reduce(
      (pattern, field, place) => pattern.replace(`:${field}`, `:p${place}`),
      op.path as string,
    );
    app.route(
      op.method,
      // The slashes of a file's path may be written as they are.
      fields.at(-1) === "path" ? path.replace(/:p\d+$/, "*") : path,
      // Elysia awaits a function that is declared async, without creating another promise.
      async ({ request, params }) => {
        const given = params as Record<string, string>;
        const named: Record<string, string> = {};
        // The router decodes no wildcard. Text that is badly encoded names no file.
        for (const [field, place] of placed) named[field] = given[place] ?? percentDecoded(given["*"] ?? "") ?? "";
        return serve(serving, op, request, named, metaOf(request));
      },
      { parse: "none" },
    );
  }
}

async function serve(
  { instance, readyReads }: RestServing,
  op: NamedOperation,
  request: Request,
  path: Record<string, string>,
  meta: RequestMeta,
): Promise<Response> {
  const { requestId, method, learned } = meta;
  learned.route = op.path;
  learned.operation = op.name;
  const outcome = await perform(instance, op, request, path, meta);
  const { caller, allowance } = outcome;
  if (caller !== null) learned.principal = shownPrincipal(caller);
  const headers = { "x-request-id": requestId, ...(allowance !== null && rateLimitHeaders(allowance)) };
  try {
    const answer = answerOf(outcome);
    learned.principal = shownPrincipal(answer.principal);
    const shown = withFields(answer, searchOf(request));
    const response = respond(request, shown, { ...headers, ...expiryHeaders(answer.principal) });
    // A 304 and a response to HEAD deliver no content.
    const isDelivered = response.status === 200 || response.status === 206;
    if ((op.media === "source" || op.media === "archive") && method === "GET" && isDelivered)
      instance.shareUses.record(answer.principal, { surface: learned.surface, requestId });
    readyReads.keep(request, answer);
    return response;
  } catch (error) {
    return refusalResponse(instance, op, error, { headers, meta });
  }
}

/** The response to an error of an operation. */
export function refusalResponse(
  { config }: Pick<Instance, "config">,
  op: NamedOperation,
  error: unknown,
  {
    headers,
    meta: { requestId, learned },
  }: { readonly headers: Readonly<Record<string, string>>; readonly meta: RequestMeta },
): Response {
  // The command line has advice in its own words.
  const refusal = learned.surface === "cli" ? error : withNextStep(op, error);
  const response = problemResponse(refusal, requestId, config.publicUrl);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/** Tells a program in time that its key ends: a program does not look at a list of keys. */
function expiryHeaders(caller: Principal | null): Record<string, string> {
  const endsAt = caller !== null && isPerson(caller) ? caller.endsAt : undefined;
  if (endsAt === undefined || endsAt.getTime() > Date.now() + expiryWarningDays * 86_400_000) return {};
  return { "x-credential-expires-at": endsAt.toISOString() };
}

/** Reads the request and invokes the operation. */
async function perform(
  instance: Instance,
  op: NamedOperation,
  request: Request,
  path: Record<string, string>,
  { requestId, address, learned, atEnd }: RequestMeta,
): Promise<Outcome> {
  let sender = unknownSender;
  try {
    const presented = presentedBy(instance.config, request);
    learned.surface = surfaceOf(presented, request);
    const search = searchOf(request);
    const query = new URLSearchParams(search);
    const key = request.headers.get("idempotency-key");
    const call: Call = {
      ...presented,
      surface: learned.surface,
      requestId,
      address,
      ...(hasOwnTag(op) ? { held: heldTags(request, op) } : {}),
      ...(key === null ? {} : { idempotencyKey: key }),
      ...viewOf(request),
      ...(op.dryRun && query.get("dryRun") === "true" ? { dryRun: true } : {}),
    };
    // No body is read for a request without a required credential.
    const refused = await refuseCredential(instance, call, op);
    if (refused !== null) return refused;
    requireOwnPage(request, instance.config.publicUrl, presented);
    const identifySender = async () => {
      const identified = await identify(instance, call, op, namedInPath(op, path, query));
      sender = identified;
      if ("error" in identified) throw identified.error;
      return accountOf(identified.caller);
    };
    const reading = { ...boundsOf(op, instance.config), identify: identifySender, keep: atEnd };
    const file = op.takes === "file" ? await readFile(request, reading) : null;
    if (file instanceof AppError) return await refuse(instance, call, op, file, sender);
    const sent = await readParts(op, request, path, search, query, reading);
    if (sent instanceof AppError) return await refuse(instance, call, op, sent, sender);
    return await invoke(instance, file === null ? call : { ...call, file }, op.name, sent, sender);
  } catch (error) {
    return { caller: sender.caller, allowance: sender.allowance, error };
  }
}

/** Whether the domain knows what the caller has, and does not read it. */
const hasOwnTag = ({ media }: NamedOperation): boolean =>
  media === "thumbnail" || media === "file" || media === "archive" || media === "diff";

/** The credentials of a request. */
export const presentedBy = (config: Config, request: Pick<Request, "headers">): RequestCredentials => ({
  credential: credentialOf(config, request),
  ...shareOf(config, request),
});

/** Whether the request is of a page that counts as a view; anyone can say so, as anyone can load the page. */
export const viewOf = ({ headers }: Pick<Request, "headers">): Pick<Call, "isPageView"> =>
  headers.has(pageViewHeader) ? { isPageView: true } : {};

/** A claim, not proof (docs/reference/contract.md §2). */
export function surfaceOf({ credential, share }: RequestCredentials, { headers }: Pick<Request, "headers">): Surface {
  if (credential.kind === "session" || share?.granted !== undefined) return "web";
  return headers.get("user-agent")?.startsWith("plinth/") ? "cli" : "api";
}

/** The input that names an artifact, for which the caller may present a share link; the path always names it. */
const namedInPath = (op: NamedOperation, path: Record<string, string>, query: URLSearchParams) =>
  isOnArtifact(op.resource) ? fromRest(op, { path, query, body: {} }).input : null;

/** The query as it was sent, with its question mark. */
function searchOf({ url }: Request): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

/** A body is as long as content only where it may contain content. */
function boundsOf(op: NamedOperation, { maxContentBytes }: Config): Pick<Reading, "limitBytes" | "tooLarge"> {
  if (op.takes === "file") return { limitBytes: filesLimits.fileBytes, tooLarge: fileTooLarge() };
  if (carriesContent(op))
    return { limitBytes: contentBodyBytes(maxContentBytes), tooLarge: contentTooLarge(maxContentBytes) };
  return { limitBytes: bodyBytesBeyondContent };
}

async function readParts(
  op: NamedOperation,
  request: Request,
  path: Record<string, string>,
  search: string,
  query: URLSearchParams,
  reading: Reading,
): Promise<Checked | AppError> {
  const isJson = op.takes === undefined && (hasBody(op) || request.body !== null);
  const read = isJson ? await readBody(request, reading) : { body: undefined, packed: undefined };
  if (read instanceof AppError) return read;
  const parts = fromRest(op, { path, query, body: read.body });
  const errors = [...malformedParameters(search), ...parts.errors];
  const dryRun = op.dryRun ? query.getAll("dryRun") : [];
  if (dryRun.length > 1) errors.push({ path: "dryRun", message: "is given more than once" });
  if (dryRun.some((value) => value !== "true" && value !== "false"))
    errors.push({ path: "dryRun", message: "must be true or false" });
  errors.push(...fieldsErrors(op, query));
  if (op.method === "POST") errors.push(...keyErrors(request.headers.get("idempotency-key")));
  // A caller that sends it relies on it.
  if (op.effect !== "read" && request.headers.has("if-match"))
    errors.push({ path: "If-Match", message: "is not supported; send expectedLatestVersion where the route takes it" });
  return { input: parts.input, errors, packed: read.packed };
}

/** The faults of an `Idempotency-Key`. */
export const keyErrors = (key: string | null): FieldError[] =>
  key === null || (key !== "" && key.length <= idempotencyKeyLength)
    ? []
    : [{ path: "Idempotency-Key", message: `must have 1 to ${idempotencyKeyLength} characters` }];
