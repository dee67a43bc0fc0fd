// An OpenID Connect issuer with a real key, whose documents are fetched from nowhere.
import { exportJWK, generateKeyPair, SignJWT } from "jose";

import { createIssuerKeys, type IssuerKeys } from "../../fetching/issuer-keys.ts";

export const testIssuer = "https://ci.example.com";

/** Its keys as an instance finds them, and id tokens as it signs them. */
export async function createIssuer() {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }] };
  const discovery = { issuer: testIssuer, jwks_uri: `${testIssuer}/keys` };
  const issuerKeys: IssuerKeys = createIssuerKeys([], (url) => {
    const document = url.endsWith("/keys") ? keys : discovery;
    return Promise.resolve({ status: 200, bytes: Buffer.from(JSON.stringify(document)), url });
  });
  const idToken = (audience: string, subject: string): Promise<string> =>
    new SignJWT({})
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(testIssuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .sign(privateKey);
  return { issuerKeys, idToken };
}
