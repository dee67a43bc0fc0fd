import { busy } from "../busy.ts";
import { inTurn } from "./turns.ts";

inTurn("busy", busy, { jsx: 4, md: 8, invalidSource: 0, shownAsSource: 0 });
