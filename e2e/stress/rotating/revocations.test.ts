import { revocations } from "../revocations.ts";
import { inTurn } from "./turns.ts";

inTurn("revocations", revocations);
