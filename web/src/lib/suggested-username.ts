// A first idea for a username, from what the identity provider said of somebody.
import { slugPattern, usernameLength } from "@plinth/contract/limits";

/** From the name before the `@`, else from the person's name; empty where neither makes a username. */
export function suggestedUsername(email: string, name: string | null): string {
  return (
    [email.split("@")[0]?.split("+")[0] ?? "", name ?? ""].map(usernameFrom).find((username) => username !== "") ?? ""
  );
}

function usernameFrom(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, usernameLength.max)
    .replace(/^-+|-+$/g, "");
  return plain.length >= usernameLength.min && new RegExp(slugPattern).test(plain) ? plain : "";
}
