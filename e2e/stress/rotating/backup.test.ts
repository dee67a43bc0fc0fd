import { backup } from "../backup.ts";
import { inTurn } from "./turns.ts";

inTurn("backup", backup);
