// A first idea for a username, from the identity provider's claims.
import { usernameLength } from "@plinth/contract/limits";
import { slugOfTitle } from "@plinth/contract/publishing/slug";

/** From the name before the `@`, else from the person's name; empty where neither makes a username. */
export async function suggestedUsername(email: string, name: string | null): Promise<string> {
  const ofEmail = await usernameFrom(email.split("@")[0]?.split("+")[0] ?? "");
  return ofEmail || usernameFrom(name ?? "");
}

async function usernameFrom(text: string): Promise<string> {
  const slug = (await slugOfTitle(text, usernameLength.max)) ?? "";
  return slug.length >= usernameLength.min ? slug : "";
}
