// The token of a mailed sign-in link: the identifier of its row under the instance's seal, as an invitation's is.
import type { Config } from "../config.ts";
import { seal, unseal } from "./seal.ts";

const purpose = "email-sign-in";
const idBytes = 16;

/** The page that the mail links to. Opening it uses nothing up: mail scanners open links. */
export const emailSignInUrl = ({ publicUrl, secret }: Pick<Config, "publicUrl" | "secret">, id: string): string =>
  `${publicUrl}/login/email/${seal(secret, purpose, Buffer.from(id.replaceAll("-", ""), "hex"))}`;

/** The row that a token is for; null where it is not one of ours. */
export const openEmailSignIn = ({ secret }: Pick<Config, "secret">, token: string): string | null =>
  unseal(secret, purpose, idBytes, token)?.toString("hex") ?? null;
