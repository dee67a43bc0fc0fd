// The types Kit's events carry in this app.
import type { Profile } from "@plinth/contract/schemas/account";
import type { WebPlatform } from "../handler.ts";

declare global {
  namespace App {
    interface Error {
      status: number;
      message: string;
      /** The code of the API's problem, where one caused the page. */
      code?: string;
      requestId?: string;
      /** Whether the visitor brought a session's cookie. */
      hasSession?: boolean;
    }
    interface Locals {
      requestId: string;
      /** Who is looking, once somebody has asked. */
      viewer?: Promise<Profile | null>;
    }
    interface Platform extends WebPlatform {}
  }
}
