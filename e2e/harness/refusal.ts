// Checks a refusal by its code: its status, members and headers, by the table in docs/reference/contract.md §2.
import { expect } from "bun:test";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

import { problemOf, type Answer } from "./http.ts";

const extraMembers: Partial<Record<ErrorCode, readonly string[]>> = {
  invalid_request: ["errors"],
  invalid_source: ["errors"],
  insufficient_scope: ["requiredScope"],
  plan_required: ["entitlement", "requiredPlan", "upgradeUrl"],
  slug_conflict: ["suggestion"],
  version_conflict: ["artifactId", "expectedLatestVersion", "latestVersion", "changedBy", "changedAt"],
  version_expired: ["versionNumber", "prunedAt"],
  content_too_large: ["limitBytes"],
  rate_limited: ["retryAfterSeconds"],
  busy: ["retryAfterSeconds"],
};

/** Fails the test if the answer is not the refusal of that code. */
export function check(answer: Answer, code: ErrorCode, where = ""): void {
  const problem = problemOf(answer);
  expect({ where, status: answer.status, code: problem.code }).toEqual({
    where,
    status: errorCodes[code].status,
    code,
  });
  expect(Object.keys(problem)).toEqual(expect.arrayContaining([...(extraMembers[code] ?? [])]));
  if (answer.status === 401) expect(answer.headers.get("www-authenticate")).toStartWith("Bearer");
  if (answer.status === 503 || answer.status === 429)
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
}
