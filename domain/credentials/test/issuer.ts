// An OpenID Connect issuer with a real key, whose documents are fetched from nowhere.
import { exportJWK, generateKeyPair, SignJWT } from "jose";

import { createIssuerKeys, type IssuerKeys } from "../../fetching/issuer-keys.ts";

export const testIssuer = "https://ci.example.com";

/** Its keys as an instance finds them, and id tokens as it signs them. */
export async function createIssuer(issuer = testIssuer) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
  const discovery = { issuer, jwks_uri: `${issuer}/keys` };
  const issuerKeys: IssuerKeys = createIssuerKeys([], (url) => {
    const document = url.endsWith("/keys") ? keySet : discovery;
    return Promise.resolve({ status: 200, bytes: Buffer.from(JSON.stringify(document)), url });
  });
  const idToken = (audience: string, subject: string, claims: Record<string, unknown> = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: audience, sub: subject, iat: now, exp: now + 300, jti: crypto.randomUUID() };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "ES256", kid: "one" }).sign(privateKey);
  };
  return { issuerKeys, idToken, keySet };
}

/** A set with an RSA key that is too short to be used. */
export async function shortKeySet() {
  const { publicKey } = await generateKeyPair("RS256");
  return { keys: [{ ...(await exportJWK(publicKey)), n: "AQAB", kid: "one", alg: "RS256" }] };
}

/** The order of the group of P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The token with the other signature that its key makes valid: (r, n − s) in place of (r, s). */
export function otherSignature(token: string): string {
  const at = token.lastIndexOf(".") + 1;
  const bytes = Buffer.from(token.slice(at), "base64url");
  const s = order - BigInt(`0x${bytes.subarray(32).toString("hex")}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")]);
  return token.slice(0, at) + other.toString("base64url");
}
