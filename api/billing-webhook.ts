// POST /api/billing/webhook: Stripe's events, signed over the raw body (docs/reference/contract.md §4). The domain
// interprets them.
import { AppError } from "@plinth/contract/errors";
import { receiveEvent, requireWebhook } from "@plinth/domain/billing/events";
import type { Instance } from "@plinth/domain/context";
import { addressKey } from "@plinth/domain/rate-limit";
import type { Elysia } from "elysia";

import { readText } from "./body.ts";
import { problemResponse } from "./problem.ts";
import type { MetaOf } from "./request-meta.ts";

/** In bytes; many times the size of Stripe's events. */
const bodyAtMost = 512 * 1024;

const headers = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export function addBillingWebhook(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  app.post(
    "/api/billing/webhook",
    async ({ request }) => {
      try {
        requireWebhook(instance);
        // A signature over the whole body authenticates Stripe.
        const { address, atEnd: keep } = metaOf(request);
        const identify = () => Promise.resolve(addressKey(address));
        const body = await readText(request, { limitBytes: bodyAtMost, identify, keep });
        if (body instanceof AppError) throw body;
        await receiveEvent(instance, body, request.headers.get("stripe-signature"));
        return new Response('{"received":true}', { headers });
      } catch (error) {
        return problemResponse(error, metaOf(request).requestId, instance.config.publicUrl);
      }
    },
    { parse: "none" },
  );
}
