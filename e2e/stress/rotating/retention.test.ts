import { retention } from "../retention.ts";
import { inTurn } from "./turns.ts";

inTurn("retention", retention);
