// The identity providers of the instance.
import type { Output } from "@plinth/contract/registry";

import type { Context } from "../context.ts";

export const listProviders = ({ config }: Context): Output<"identity.providers"> => ({
  providers: config.identity.providers.map(({ id, name }) => ({ id, name })),
});
