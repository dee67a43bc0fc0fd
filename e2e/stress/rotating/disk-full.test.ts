import { diskFull } from "../disk-full.ts";
import { inTurn } from "./turns.ts";

inTurn("disk-full", diskFull);
