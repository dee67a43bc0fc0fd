// A browser context for each participant and for each holder of a link, with separate cookies. Requests are made inside
// a page of the instance, as its own pages make them.
import type { Browser, BrowserContext, Page } from "playwright-core";

import type { ClientOptions } from "@plinth/contract/client";

import { openContext } from "../harness/browser.ts";
import { hung } from "../harness/process.ts";
import type { Participants } from "./participants.ts";
import type { Action, Actor } from "./surface.ts";

export interface Visitors {
  /** The page of the actor; a link's holder has already opened the link. */
  pageOf(action: Pick<Action, "by" | "shareToken">): Promise<Page>;
  close(): Promise<void>;
}

export function visitors(browser: Browser, origin: string, { people }: Participants): Visitors {
  const pages = new Map<string, Promise<Page>>();
  const contexts: BrowserContext[] = [];

  async function open({ by, shareToken }: Pick<Action, "by" | "shareToken">): Promise<Page> {
    const session = typeof by === "string" ? people[by].session : undefined;
    const context = await openContext(browser, origin, session, { timezoneId: "UTC" });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(hung);
    await page.goto(typeof by === "string" ? origin : `${origin}/share/${shareToken ?? ""}`);
    return page;
  }

  return {
    pageOf(action) {
      const name = nameOf(action.by);
      const page = pages.get(name) ?? open(action);
      pages.set(name, page);
      return page;
    },
    async close() {
      for (const context of contexts) await context.close();
    },
  };
}

const nameOf = (who: Actor): string => (typeof who === "string" ? who : `link ${who.link}`);

/** Sends a request from inside a page: with its cookies, its origin, and under its policy. */
export const fetchIn =
  (page: Page): NonNullable<ClientOptions["fetch"]> =>
  async (request) => {
    const { method, url } = request;
    const body = method === "GET" ? null : await request.text();
    const sent = { method, url, body: body === "" ? null : body, headers: Object.fromEntries(request.headers) };
    const answer = await page.evaluate(async ({ method, url, body, headers }) => {
      const response = await fetch(url, { method, body, headers });
      return { status: response.status, headers: [...response.headers], text: await response.text() };
    }, sent);
    const { status, headers, text } = answer;
    return new Response(status === 204 ? null : text, { status, headers });
  };
