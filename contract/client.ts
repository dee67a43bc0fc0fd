// The typed client of the REST API, for the command line, the web app and tests. It reads from the registry where a
// field travels and what an operation returns.
import { errorCodes, type ErrorCode, type Problem } from "./errors.ts";
import { bodyFields, hasBody, pathFields, type Operation } from "./operation.ts";
import { registry, type Input, type OperationName, type Output } from "./registry.ts";

export interface ClientOptions {
  /** Origin of the API, without a path. */
  readonly baseUrl: string;
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
  /** The body of an operation that takes a file. */
  readonly file?: Blob | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

/** An error response of the API, complete. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;
  readonly retryAfterSeconds: number | null;

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Runs a GET operation that answers with JSON, for the caller that the headers identify. A client in the API's own
 * process reads this way. An error is returned, not thrown, because a built app bundles its own ProblemError class.
 * `principal` is the caller, for the log.
 */
export type Read = <Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  headers: Headers,
) => Promise<({ readonly value: Output<Name> } | Refused) & { readonly principal?: string | null }>;

export interface Refused {
  readonly problem: Problem;
  readonly retryAfterSeconds: number | null;
}

export type Client = ReturnType<typeof createClient>;

/** Creates a client, which keeps no state. */
export function createClient(options: ClientOptions) {
  const send = options.fetch ?? ((request: Request) => fetch(request));

  function request<Name extends OperationName>(name: Name, input: Input<Name>, call: CallOptions = {}): Request {
    const op: Operation = registry[name];
    const fields = input as Record<string, unknown>;
    const url = new URL(fillPath(op, fields), options.baseUrl);
    const headers = new Headers({ ...options.headers, ...call.headers });
    const rest = bodyFields(op).filter((field) => fields[field] !== undefined);
    if (call.dryRun) url.searchParams.set("dryRun", "true");
    const init: RequestInit = { method: op.method, headers, redirect: "manual" };
    if (call.file !== undefined) init.body = call.file;
    if (hasBody(op)) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(Object.fromEntries(rest.map((field) => [field, fields[field]])));
    } else {
      for (const field of rest) url.searchParams.set(field, String(fields[field]));
    }
    if (call.signal) init.signal = call.signal;
    return new Request(url, init);
  }

  return {
    /** Builds the request that a call sends. */
    request,

    /** Sends the request and returns the successful response. @throws ProblemError */
    async send<Name extends OperationName>(name: Name, input: Input<Name>, call?: CallOptions): Promise<Response> {
      const response = await send(request(name, input, call));
      if (response.ok || response.status === 304) return response;
      throw await problemOf(response);
    },

    /** Sends the request and returns the decoded result; null where there is none. @throws ProblemError */
    async call<Name extends OperationName>(name: Name, input: Input<Name>, call?: CallOptions): Promise<Output<Name>> {
      const response = await this.send(name, input, call);
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
      return (isJson ? JSON.parse(text) : text === "" ? null : text) as Output<Name>;
    },
  };
}

function fillPath(op: Operation, fields: Record<string, unknown>): string {
  return pathFields(op).reduce(
    (path, field) => path.replace(`:${field}`, () => encodeURIComponent(String(fields[field]))),
    op.path as string,
  );
}

/**
 * Reads an error response. A response that Plinth did not write, such as a proxy's page, becomes `unavailable` or
 * `internal`.
 */
export async function problemOf(response: Response): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get("retry-after") ?? "");
  const wait = Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null;
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("application/problem+json")) {
    return new ProblemError(JSON.parse(text) as Problem, wait);
  }
  const code: ErrorCode = response.status >= 502 && response.status <= 504 ? "unavailable" : "internal";
  return new ProblemError(
    {
      type: "about:blank",
      title: errorCodes[code].title,
      status: response.status,
      detail: `The server answered ${response.status} without saying why`,
      code,
      requestId: response.headers.get("x-request-id") ?? "",
    },
    wait,
  );
}
