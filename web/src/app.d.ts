// The types Kit's events carry in this app.
import type { WebPlatform } from "../handler.ts";

declare global {
  namespace App {
    interface Error {
      status: number;
      message: string;
      /** The code of the API's problem, where one caused the page. */
      code?: string;
      requestId?: string;
    }
    interface Locals {
      requestId: string;
    }
    interface Platform extends WebPlatform {}
  }
}
