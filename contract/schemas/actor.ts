// The actor of a change (docs/reference/contract.md §3).
import Type, { type Static } from "typebox";

import { UserId } from "./text.ts";

export const actorTypes = ["user", "api_key", "agent", "share_link", "operator", "system"] as const;

export const Actor = Type.Object({
  type: Type.Enum(actorTypes),
  id: Type.String(),
  label: Type.String(),
  onBehalfOf: Type.Optional(Type.Object({ userId: UserId, username: Type.String() })),
});
export type Actor = Static<typeof Actor>;
