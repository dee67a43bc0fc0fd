// How Kit writes down what it does not know: of what stays on the server, only that there is some.
import type { Transport } from "@sveltejs/kit/hooks";
import { OnServer } from "#lib/on-server.ts";

export const transport: Transport = {
  OnServer: {
    encode: (value) => value instanceof OnServer,
    decode: () => new OnServer(undefined),
  },
};
