// The serialization of values that SvelteKit cannot serialize: of an `OnServer` value, only that it exists.
import type { Transport } from "@sveltejs/kit/hooks";
import { OnServer } from "#lib/on-server.ts";

export const transport: Transport = {
  OnServer: {
    encode: (value) => value instanceof OnServer,
    decode: () => new OnServer(undefined),
  },
};
