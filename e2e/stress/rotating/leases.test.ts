import { leases } from "../leases.ts";
import { inTurn } from "./turns.ts";

inTurn("leases", leases);
