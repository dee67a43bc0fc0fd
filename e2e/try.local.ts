import { startInstance } from "./harness/instance.ts";
import { gather } from "./parity/cast.ts";
import { restSurface } from "./parity/rest.ts";
import { commandLineSurface } from "./parity/command-line.ts";
import { scenario } from "./parity/scenario.ts";
const instance = await startInstance();
const cast = await gather(instance);
const s = process.argv[2] === "cli" ? await commandLineSurface(instance, cast) : restSurface(instance, cast);
const kept = new Map<string, any>();
for (const step of scenario) {
  try {
    const known = (n: string, m: string) => kept.get(n)?.[m];
    const shareToken = typeof step.by === "string" ? null : known(step.by.link, "token");
    const o: any = await s.perform({
      by: step.by,
      operation: step.operation,
      input: step.input(known as any),
      shareToken,
    });
    if (step.keep) kept.set(step.keep, o.result);
    const code = o.refused?.code;
    console.log(
      code === step.refused ? "ok " : "BAD",
      step.what,
      code === step.refused ? "" : JSON.stringify(o).slice(0, 200),
    );
  } catch (e) {
    console.log("ERR", step.what, String(e).slice(0, 300));
  }
}
await s.close();
await instance.stop();
