// `bun run bench`: builds the programs that the benchmark measures, then runs e2e/bench/main.ts.
import { runBuilt } from "./run-built.ts";

await runBuilt("bench/main.ts");
