// Asking the API from the page, by the visitor's cookie, where no form fits: a result, or the refusal whole.
import type { Problem } from "@plinth/contract/errors";
import { problemDetail, problemTexts } from "#messages/problems.ts";

export type Asked<Body> = { ok: true; body: Body } | { ok: false; problem: Problem };

export interface Asking {
  method?: "POST" | "PUT" | "PATCH";
  body?: unknown;
  /** In the place of `body`. */
  file?: Blob;
  headers?: Record<string, string>;
}

/** Never throws: a network that is away is `unavailable`. */
export async function askApi<Body>(path: string, asking: Asking = {}): Promise<Asked<Body>> {
  return asked(path, asking, (answer) => answer.json() as Promise<Body>);
}

/** As `askApi`, for what is answered as text: the source of a version. */
export const askText = (path: string): Promise<Asked<string>> => asked(path, {}, (answer) => answer.text());

async function asked<Body>(
  path: string,
  { method, body, file, headers }: Asking,
  read: (answer: Response) => Promise<Body>,
): Promise<Asked<Body>> {
  try {
    const answer = await fetch(path, {
      method: method ?? "GET",
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file }),
      cache: "no-store",
    });
    if (answer.ok) return { ok: true, body: await read(answer) };
    return { ok: false, problem: await problemIn(answer) };
  } catch (cause) {
    return { ok: false, problem: away(cause) };
  }
}

async function problemIn(answer: Response): Promise<Problem> {
  if (answer.headers.get("content-type")?.startsWith("application/problem+json"))
    return inLanguage((await answer.json()) as Problem);
  const requestId = answer.headers.get("x-request-id") ?? "none";
  return { ...said(problemTexts().serverAnswered({ status: answer.status }), answer.status), requestId };
}

const inLanguage = (problem: Problem): Problem => ({ ...problem, detail: problemDetail(problem) });

/** The browser says why; people need only know that nothing came. */
const away = (cause: unknown): Problem => ({
  ...said(problemTexts().notReached, 503),
  cause: cause instanceof Error ? cause.name : "unknown",
});

const said = (detail: string, status: number): Problem => ({
  type: "about:blank",
  title: detail,
  status,
  code: "unavailable",
  detail,
  requestId: "none",
});
