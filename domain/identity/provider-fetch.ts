// Asking an identity provider: bounded in time and size, following no redirect. A provider that can't be reached is
// told apart from one that refuses.
import { AppError } from "@plinth/contract/errors";

const timeoutMs = 5000;
const longestAnswer = 1024 * 1024;
/** When the user can try to sign in again, in seconds. */
const retrySeconds = 30;

type FetchInit = Pick<RequestInit, "method" | "headers" | "body">;

/** The provider's response with any status below 500. @throws identity_unavailable */
export async function providerFetch(url: string, init: FetchInit = {}): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    if (response.status >= 500 || response.status === 429) throw new Error(`answered ${response.status}`);
    return new Response(await boundedText(response), { status: response.status });
  } catch (cause) {
    throw unavailable(url, cause);
  }
}

/** The JSON object of a provider's 200. @throws identity_unavailable, Error for anything else it says */
export async function providerJson(url: string, init?: FetchInit): Promise<Record<string, unknown>> {
  const response = await providerFetch(url, init);
  if (response.status !== 200) throw new ProviderRefusal(url, response.status);
  // What can't be read is not said: the parser's own words would repeat it.
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== "object" || body === null) throw new Error(`${new URL(url).host} answered no JSON object`);
  return body as Record<string, unknown>;
}

/** The provider answered, and said no: a code used twice, a secret that is wrong. */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal";
  constructor(url: string, status: number) {
    super(`${new URL(url).host} answered ${status}`);
  }
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > longestAnswer) throw new Error("the answer is too long");
  }
  return text + decoder.decode();
}

function unavailable(url: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : "unknown";
  return new AppError(
    "identity_unavailable",
    "The identity provider can't be reached",
    { retryAfterSeconds: retrySeconds, hint: "Try again in a moment; everything else goes on" },
    // Only the host: a URL can carry secrets that must not reach the log.
    new Error(`identity provider ${new URL(url).host}: ${reason}`),
  );
}
