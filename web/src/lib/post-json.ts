// A POST of the page itself, for what sets a cookie or must not pass through a form (docs/decisions/web.md, "Forms
// through actions").
import { problemTexts } from "#messages/problems.ts";

export interface Posted<Body> {
  ok: boolean;
  status: number;
  body: Body | null;
  /** What went wrong, in the API's words; empty where nothing did. */
  detail: string;
  requestId: string;
}

/** Sends JSON to this origin and never throws: a network that is away is a 503. */
export async function postJson<Body>(path: string, sent: unknown): Promise<Posted<Body>> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(sent),
      cache: "no-store",
    });
  } catch {
    return { ok: false, status: 503, body: null, detail: problemTexts().notReached, requestId: "none" };
  }
  const body = await readJson(answer);
  const problem = answer.ok ? {} : ((body ?? {}) as { detail?: string; message?: string });
  return {
    ok: answer.ok,
    status: answer.status,
    body: answer.ok ? (body as Body | null) : null,
    detail:
      problem.detail ?? problem.message ?? (answer.ok ? "" : problemTexts().serverAnswered({ status: answer.status })),
    requestId: answer.headers.get("x-request-id") ?? "unknown",
  };
}

async function readJson(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    // No body, or a proxy's page.
    return null;
  }
}
