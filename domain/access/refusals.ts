// The refusals that more than one rule of access gives. Hidden and missing are the same answer to the byte
// (docs/reference/security.md §3).
import { AppError } from "@plinth/contract/errors";
import type { Scope } from "@plinth/contract/scopes";

export const notFound = (): AppError => new AppError("not_found", "There is nothing here, or you may not see it");

/** Only of a version of an artifact that the caller may see. */
export const noSuchVersion = (latestVersion: number): AppError =>
  new AppError("not_found", `The artifact has no such version; the latest is ${latestVersion}`, {
    hint: "List its versions, or leave the version out to get the latest",
  });

export const unauthenticated = (detail: string): AppError =>
  new AppError("unauthenticated", detail, { hint: "Send `authorization: Bearer <token>` with an API key" });

/** Of a request that began by a right which was revoked before the request was done. */
export const rightRevoked = (): AppError =>
  new AppError("forbidden", "The right that this request began with was revoked", {
    hint: "Send the request again, to use the rights that you have now",
  });

export const insufficientScope = (scope: Scope): AppError =>
  new AppError("insufficient_scope", `The credential lacks the scope ${scope}`, {
    requiredScope: scope,
    hint: `Use a key that has ${scope}; a person makes one on the web or with: plinth keys create`,
  });

export const versionExpired = (versionNumber: number, prunedAt: Date): AppError =>
  new AppError("version_expired", `Version ${versionNumber} is past the plan's retention`, {
    versionNumber,
    prunedAt: prunedAt.toISOString(),
  });
