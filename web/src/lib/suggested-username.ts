// A first idea for a username, from what the identity provider said of somebody.
import { usernameLength } from "@plinth/contract/limits";
import { slugFrom } from "./suggested-slug.ts";

/** From the name before the `@`, else from the person's name; empty where neither makes a username. */
export function suggestedUsername(email: string, name: string | null): string {
  return (
    [email.split("@")[0]?.split("+")[0] ?? "", name ?? ""].map(usernameFrom).find((username) => username !== "") ?? ""
  );
}

function usernameFrom(text: string): string {
  const slug = slugFrom(text, usernameLength.max);
  return slug.length >= usernameLength.min ? slug : "";
}
