// The serialization of values that SvelteKit cannot serialize: of an `ServerOnly` value, only that it exists.
import type { Transport } from "@sveltejs/kit/hooks";
import { ServerOnly } from "#lib/server-only.ts";

export const transport: Transport = {
  ServerOnly: {
    encode: (value) => value instanceof ServerOnly,
    decode: () => new ServerOnly(undefined),
  },
};
