import { databaseStopped } from "../database-stopped.ts";
import { inTurn } from "./turns.ts";

inTurn("database-stopped", databaseStopped);
