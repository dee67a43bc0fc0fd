import type { CasesOf } from "../test/case.ts";
import { changed } from "../test/refusals.ts";
import { anyCredential, anyone, byPerson, login } from "../test/rules.ts";
import type * as operations from "./instance.ts";

export const instanceCases: CasesOf<typeof operations> = {
  health: { who: byPerson(anyone), input: () => ({}), refused: {}, events: null },
  "profile.get": { who: byPerson(anyCredential), input: () => ({}), refused: {}, events: null },
  "profile.update": {
    who: byPerson(login),
    input: ({ unique }) => ({ name: unique("Name") }),
    refused: { slug_conflict: changed(({ stranger: { username } }) => ({ username })) },
    events: "workspace.updated",
  },
};
