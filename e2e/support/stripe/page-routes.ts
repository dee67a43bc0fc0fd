// The fake's pages by path, and the effects of their forms.
import type { ServerResponse } from "node:http";

import { pressedInCheckout, checkoutPage } from "./checkout-page.ts";
import { StripeFailure } from "./failure.ts";
import { parseForm, type Form } from "./form.ts";
import { document, html, type Html } from "./pages.ts";
import { pressedInPortal } from "./portal-buttons.ts";
import { portalPage } from "./portal-page.ts";
import type { Setup } from "./setup.ts";

interface Page {
  readonly path: RegExp;
  readonly title: string;
  /** @throws StripeFailure */
  readonly show: (setup: Setup, id: string, problem: string | null) => Html;
  /** Does what a form asks and answers where to go then. @throws StripeFailure, which the page says */
  readonly press?: (setup: Setup, id: string, form: Form) => string;
}

const pages: readonly Page[] = [
  { path: /^\/c\/pay\/(\w+)$/, title: "Checkout", show: checkoutPage, press: pressedInCheckout },
  { path: /^\/p\/session\/(\w+)$/, title: "Billing", show: portalPage, press: pressedInPortal },
];

export function page(setup: Setup, method: string, path: string, body: string, response: ServerResponse): void {
  const found = pages.find((one) => one.path.test(path));
  const id = found?.path.exec(path)?.[1] ?? "";
  const send = (status: number, title: string, content: Html) => {
    response.writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
    });
    response.end(document(`${title} · Stripe double`, content));
  };
  if (found === undefined) return send(404, "Nothing here", html`<h1>Nothing here</h1>`);
  try {
    if (method === "POST" && found.press !== undefined) {
      try {
        response.writeHead(303, { location: found.press(setup, id, parseForm(body)) }).end();
      } catch (error) {
        if (!(error instanceof StripeFailure)) throw error;
        send(error.status, found.title, found.show(setup, id, error.message));
      }
    } else send(200, found.title, found.show(setup, id, null));
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    send(error.status, found.title, html`<h1>${error.message}</h1>`);
  }
}
