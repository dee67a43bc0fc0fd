// A person at a browser of the real service: a session cookie, and what the pages of the web app send.
import { expect } from "bun:test";

import { result, startLine } from "./service.ts";

/** Where `login` sends the browser, as it says on standard error. */
export const authorizeAddress = /http\S+oauth2\/authorize\S+/;

export interface Browser {
  send(path: string, body: object): Promise<Response>;
  /** Follows the address, and answers the consent page it leads to; what the browser shows then. */
  consent(address: string, accept: boolean): Promise<Response>;
}

/** Signs a user in by a link of the operator's. */
export async function openBrowser(origin: string, userId: string): Promise<Browser> {
  let cookie = "";
  const browser: Browser = {
    send(path, body) {
      const headers = { "content-type": "application/json", origin, ...(cookie && { cookie }) };
      return fetch(new URL(path, origin), { method: "POST", headers, body: JSON.stringify(body) });
    },
    async consent(address, accept) {
      const asked = await fetch(address, { headers: { cookie }, redirect: "manual" });
      const { pathname, search } = new URL(asked.headers.get("location") ?? "", origin);
      expect({ status: asked.status, pathname }).toEqual({ status: 302, pathname: "/oauth/consent" });
      const answer = await browser.send("/api/auth/oauth2/consent", { query: search.slice(1), accept });
      return fetch(((await answer.json()) as { redirectTo: string }).redirectTo);
    },
  };
  const { url } = await result<{ url: string }>(`operator user sign-in-link --user-id ${userId}`);
  const answer = await browser.send("/api/auth/sign-in-link", { token: new URL(url).hash.slice(1) });
  cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect(cookie).not.toBe("");
  return browser;
}

/** Runs `plinth login` for a user whose home this is. */
export async function logIn(origin: string, userId: string, home: string): Promise<void> {
  const browser = await openBrowser(origin, userId);
  const login = startLine("login", { DISPLAY: ":0", HOME: home });
  await browser.consent(await login.said(authorizeAddress), true);
  const { code, stderr } = await login.ended;
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
}
