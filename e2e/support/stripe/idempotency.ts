// Idempotency keys: a key that was used gets the answer it got, and none with other parameters.
import { StripeFailure } from "./failure.ts";

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface Keys {
  /** @throws StripeFailure for a key that was used for something else */
  once(key: string | null, request: string, work: () => Reply): Reply & { readonly isReplayed: boolean };
}

const keyLength = 255;

export function createKeys(): Keys {
  const used = new Map<string, { readonly request: string; readonly reply: Reply }>();
  return {
    once(key, request, work) {
      if (key === null) return { ...work(), isReplayed: false };
      if (key.length > keyLength)
        throw new StripeFailure(400, "invalid_request_error", `Idempotency keys have at most ${keyLength} characters.`);
      const before = used.get(key);
      if (before !== undefined && before.request !== request) {
        const same =
          "Keys for idempotent requests can only be used with the same parameters they were first used with.";
        const other = `Try using a key other than '${key}' if you meant to execute a different request.`;
        throw new StripeFailure(400, "idempotency_error", `${same} ${other}`);
      }
      if (before !== undefined) return { ...before.reply, isReplayed: true };
      const reply = work();
      // A request that was refused before it had an effect can be repeated.
      if (reply.status !== 400 && reply.status !== 404) used.set(key, { request, reply });
      return { ...reply, isReplayed: false };
    },
  };
}
