// Reads a person's identity from the proven claims of a provider. Others wrote every text in it.
import { nameLength } from "@plinth/contract/limits";

import { canonicalEmail, isEmail } from "../email.ts";

export interface Identity {
  readonly providerId: string;
  /** Issuer and subject, separated by a space: the same subject at another issuer is another person. */
  readonly accountId: string;
  /** Null where there is none that can be used here. */
  readonly email: string | null;
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}

/** The claims, by their OpenID Connect names. */
export interface Claims {
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly picture?: unknown;
}

const longestSubject = 255;
const avatarLength = 2048;

/** @throws Error for a subject that is none */
export function identityOf(providerId: string, issuer: string, subject: unknown, claims: Claims): Identity {
  const isSubject = typeof subject === "string" && /^[\x21-\x7e]+$/.test(subject) && subject.length <= longestSubject;
  if (!isSubject) throw new Error(`${providerId} gave no subject that can be kept`);
  return {
    providerId,
    accountId: `${issuer} ${subject}`,
    email: emailOf(claims.email),
    emailVerified: claims.email_verified === true || claims.email_verified === "true",
    name: nameOf(claims.name),
    avatarUrl: avatarOf(claims.picture),
  };
}

/** ASCII alone, judged before anything folds it: lower-casing turns the Kelvin sign into a k. */
function emailOf(claim: unknown): string | null {
  return typeof claim === "string" && isEmail(claim) ? canonicalEmail(claim) : null;
}

function nameOf(claim: unknown): string | null {
  if (typeof claim !== "string") return null;
  const name = Array.from(
    claim
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  )
    .slice(0, nameLength)
    .join("")
    .trim();
  return name === "" ? null : name;
}

function avatarOf(claim: unknown): string | null {
  if (typeof claim !== "string" || claim.length > avatarLength) return null;
  const url = URL.parse(claim);
  return url?.protocol === "https:" ? url.href : null;
}
