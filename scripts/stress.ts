// `bun run stress <name>`: builds the programs that the stress tests run, then runs e2e/stress/main.ts.
import { runBuilt } from "./run-built.ts";

await runBuilt("stress/main.ts");
