import { workerKill } from "../worker-kill.ts";
import { inTurn } from "./turns.ts";

inTurn("worker-kill", workerKill);
