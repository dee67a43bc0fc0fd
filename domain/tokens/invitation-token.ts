// The token of an invitation: its identifier under the instance's seal. Nothing of it is stored, so neither a row nor
// the job that mails it holds a secret, and the job can make it again.
import { decodeId, encodeId } from "@plinth/contract/ids";

import type { Config } from "../config.ts";
import { seal, unseal } from "./seal.ts";

const purpose = "invitation";
const idBytes = 16;

/** Where the invited person accepts. The token is in the fragment, which no server and no log sees. */
export function invitationUrl({ publicUrl, secret }: Pick<Config, "publicUrl" | "secret">, invitationId: string) {
  const id = Buffer.from((decodeId("inv", invitationId) ?? "").replaceAll("-", ""), "hex");
  return `${publicUrl}/invitations/accept#${seal(secret, purpose, id)}`;
}

/** Which invitation a token is for; null where it is not one of ours. */
export function openInvitation({ secret }: Pick<Config, "secret">, token: string): string | null {
  const id = unseal(secret, purpose, idBytes, token);
  return id === null ? null : encodeId("inv", id.toString("hex"));
}
