import { sigterm } from "../sigterm.ts";
import { inTurn } from "./turns.ts";

inTurn("sigterm", sigterm);
