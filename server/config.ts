// The configuration of an instance: the environment, and the secrets that the first start generates and stores in
// DATA_DIR.
import type { Config } from "@plinth/domain/config";
import type { JobHost } from "@plinth/domain/jobs/run";
import { mintToken, tokenKind } from "@plinth/domain/tokens/token";

import packageJson from "../package.json" with { type: "json" };
import { dataFile } from "./data-file.ts";
import type { Environment } from "./environment.ts";

export function configOf(environment: Environment): Config {
  return {
    ...jobConfigOf(environment),
    operatorToken: operatorToken(environment),
    maxContentBytes: environment.maxContentBytes,
    renderWaitMs: environment.renderWaitMs,
    rateLimits: environment.rateLimits,
    trustedIssuers: environment.trustedIssuers,
    mcpAllowedOrigins: environment.mcpAllowedOrigins,
    securityContact: environment.securityContact,
    allowedHosts: environment.allowedHosts,
    identity: environment.identity,
  };
}

/** The part of the configuration for a process that does jobs. */
export function jobConfigOf(environment: Environment) {
  const { publicUrl, contentOrigin, secret, dataDir, htmlCdnAllowlist, packageRegistry, remoteImages } = environment;
  const { mail, billing, defaultPlan } = environment;
  return {
    version: packageJson.version,
    publicUrl,
    contentOrigin,
    secret:
      secret ??
      dataFile(dataDir, "secret", () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")),
    htmlCdnAllowlist,
    packageRegistry,
    remoteImages,
    mail,
    billing,
    defaultPlan,
  } satisfies JobHost["config"] & Pick<Config, "version" | "billing">;
}

function operatorToken({ dataDir, operatorToken: given }: Environment): string {
  const token = given ?? dataFile(dataDir, "operator-token", () => mintToken("operator"));
  if (tokenKind(token) === "operator") return token;
  throw new Error(
    given === null
      ? `${dataDir}/operator-token does not hold an operator token. Remove the file to have a new one made.`
      : "OPERATOR_TOKEN is not an operator token (plo_ and 39 characters, the last six a checksum)",
  );
}
