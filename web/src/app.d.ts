// The types Kit's events carry in this app.
import type { Profile } from "@plinth/contract/schemas/account";
import type { Output } from "@plinth/contract/registry";
import type { Language } from "#messages/language.ts";
import type { WebPlatform } from "../web-platform.ts";

declare global {
  namespace App {
    interface Error {
      status: number;
      message: string;
      /** The code of the API's problem, where one caused the page. */
      code?: string;
      requestId?: string;
      /** Whether signing in would change nothing. */
      isSignedIn?: boolean;
      /** Who is looking, for the header of the error page. */
      viewer?: { username: string | null; label: string } | null;
      /** What the visitor lacks and who can grant it. */
      missing?: string;
    }
    interface Locals {
      requestId: string;
      /** The language of the answer. */
      language: Language;
      /** The visitor, once the page has asked. */
      viewer?: Promise<Profile | null>;
      /** The artifact whose settings are shown, once a load has asked. */
      shownArtifact?: Promise<Output<"artifact.getByPath">>;
      /** `set-cookie` lines of the API that the page passes on as they are. */
      setCookies?: string[];
    }
    interface Platform extends WebPlatform {}
  }
}
