import type { CasesOf, Setting } from "../test/case.ts";
import { byLinkAlone } from "../test/refusals.ts";
import { byPerson, listOfMarked, listOfOthers, onFavorite, reads } from "../test/rules.ts";
import type * as operations from "./personal.ts";

const it = ({ artifact: { artifactId } }: Setting) => ({ artifactId });
const list = () => ({ limit: 100 });
const ofPersonAlone = { none: "what a person marked or opened changes nothing for others" };

export const personalCases: CasesOf<typeof operations> = {
  "favorite.add": { who: onFavorite, input: it, refused: { forbidden: byLinkAlone }, events: ofPersonAlone },
  "favorite.remove": { who: onFavorite, input: it, refused: { forbidden: byLinkAlone }, events: ofPersonAlone },
  // The access matrix has no marks; domain/artifacts/favorites.test.ts has the rest.
  "favorite.list": { who: listOfMarked, input: list, refused: {}, events: null },
  "recent.list": { who: listOfMarked, input: list, refused: {}, events: null },
  "recent.clear": { who: byPerson(reads), input: () => ({}), refused: {}, events: ofPersonAlone },
  "artifact.listShared": { who: listOfOthers, input: list, refused: {}, events: null },
};
