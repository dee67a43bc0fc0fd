// One attempt to have a request answered: time limit, no redirects, no answer of anything but a Plinth API. When there
// is another attempt is retry.ts. Knows no operation.
import type { Health } from "@plinth/contract/schemas/instance";

import { codeOf } from "../failure/system-error.ts";
import { clientFailure } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";

/** Milliseconds. */
const timeLimit = 60_000;
/** The same for a file, or a program: up to 40 MB, over a slow line. */
const fileTimeLimit = 600_000;

/**
 * Sends a request once. The whole answer is read here, so that a connection lost halfway is one failure like any other.
 * @throws Failure unavailable
 */
export async function attemptOnce(request: Request, fetch: Io["fetch"]): Promise<Response> {
  const origin = new URL(request.url).origin;
  const isFile = request.method === "PUT" || request.url.startsWith(`${origin}/_cli/`);
  const limit = isFile ? fileTimeLimit : timeLimit;
  const signal = AbortSignal.timeout(limit);
  let response: Response;
  let body: ArrayBuffer;
  try {
    response = await fetch(request.clone(), { signal });
    body = await response.arrayBuffer();
  } catch (error) {
    const { why, ...remedy } = signal.aborted ? slow(limit) : unreachable(error);
    throw clientFailure("unavailable", `${origin} ${why}`, { ...remedy, cause: error });
  }
  if (response.status >= 300 && response.status < 400 && response.status !== 304)
    throw redirected(response, request.url);
  const { pathname } = new URL(request.url);
  const media = response.headers.get("content-type") ?? "";
  if (response.ok && media.startsWith("text/html") && !/\/(?:content|files\/.+)$/.test(pathname)) {
    throw clientFailure("unavailable", `${origin} answers with a web page, not as a Plinth API`, {
      hint: "Check --base-url",
      isLasting: true,
    });
  }
  if (media.startsWith("application/json") || media.startsWith("application/problem+json"))
    requireJson(response, body, origin);
  if (response.status === 503 && pathname === "/api/health" && media.startsWith("application/json"))
    throw unhealthy(body, origin);
  return new Response(body.byteLength === 0 ? null : body, {
    status: response.status,
    headers: response.headers,
  });
}

interface Cause {
  readonly why: string;
  readonly hint: string;
  readonly isLasting?: true;
}

const checkAddress = "Is it running, and is the address right? Set it with --base-url or SERVICE_BASE_URL";

const slow = (limit: number): Cause => ({ why: `did not answer within ${limit / 1000} s`, hint: checkAddress });

/** Codes of Node and Bun. */
const causes: readonly (Cause & { readonly codes: RegExp })[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN|DNSException|DNS_.*)$/,
    why: "could not be reached: no such host is known",
    hint: "Check the address (--base-url or SERVICE_BASE_URL), and the network",
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|^ERR_TLS/,
    why: "could not be reached: its certificate is not trusted",
    hint: "Name the file of your certificate authority in NODE_EXTRA_CA_CERTS; --debug shows the cause",
    isLasting: true,
  },
  {
    codes: /^(EPROTO|ERR_SSL_.*|.*WRONG_VERSION_NUMBER.*)$/,
    why: "could not be reached: it does not speak https",
    hint: "Try the address with http://",
    isLasting: true,
  },
  {
    codes: /^(ECONNREFUSED|ConnectionRefused)$/,
    why: "could not be reached: nothing listens there",
    hint: checkAddress,
  },
];

function unreachable(error: unknown): Cause {
  const codes: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) codes.push(codeOf(at) ?? "", ...nestedCodes(at));
  return (
    causes.find((cause) => codes.some((code) => cause.codes.test(code))) ?? {
      why: "could not be reached",
      hint: checkAddress,
    }
  );
}

/** Where a name has several addresses, each has failed by itself. */
const nestedCodes = (error: Error): string[] =>
  error instanceof AggregateError ? error.errors.map((one: unknown) => codeOf(one) ?? "") : [];

/** What a proxy or another service sends under this type may be anything. @throws Failure unavailable */
function requireJson({ status, headers }: Response, body: ArrayBuffer, origin: string): void {
  // An answer without a body, such as a 304, may name the type of one.
  if (body.byteLength === 0) return;
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch (error) {
    const said = `${status}, ${headers.get("content-type")}, ${body.byteLength} bytes`;
    throw clientFailure("unavailable", `The server's answer is not JSON (${said})`, {
      hint: `Is ${origin} a Plinth? Check --base-url, and any proxy in between`,
      cause: error,
      isLasting: status < 500,
    });
  }
}

/** An instance that cannot serve says so in its health, which is no problem document. */
function unhealthy(body: ArrayBuffer, origin: string) {
  const { checks } = JSON.parse(new TextDecoder().decode(body)) as Pick<Health, "checks">;
  const failed = Object.entries(checks ?? {}).flatMap(([name, { status, detail }]) =>
    status === "fail" ? [detail ? `${name}: ${detail}` : name] : [],
  );
  return clientFailure("unavailable", `${origin} cannot serve${failed.length > 0 ? ` (${failed.join("; ")})` : ""}`);
}

/** A redirect is never followed: it could carry the token to another origin. */
function redirected(response: Response, url: string) {
  const location = response.headers.get("location") ?? "";
  const target = URL.canParse(location, url) ? new URL(location, url).origin : null;
  return clientFailure("unavailable", `${new URL(url).origin} redirects${target ? ` to ${target}` : ""}`, {
    hint: target ? `If you trust it, use --base-url ${target}` : "Check --base-url",
    isLasting: true,
  });
}
