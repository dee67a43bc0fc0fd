// The program of one thread: answers the pool's requests one after the other.
// It has no environment, no database and no secret; it must stay that way.
import { cpuClock } from "../render/cpu-clock.ts";
import type { TaskName, TaskReport, TaskRequest, Tasks } from "./tasks.ts";

type Run<Name extends TaskName> = (input: Tasks[Name]["input"]) => Promise<Tasks[Name]["output"]>;

/** Loads the code behind a task, once; that takes longest in a new thread on a busy machine. */
const loaders: { readonly [Name in TaskName]: () => Promise<Run<Name>> } = {
  async markdown() {
    const [{ renderMarkdown }, { prepareHighlighter }] = await Promise.all([
      import("../render/markdown/renderer.ts"),
      import("../render/source/highlighter.ts"),
      import("../render/markdown/math.ts"),
    ]);
    await prepareHighlighter();
    return renderMarkdown;
  },
  async source() {
    const [{ renderSource }, { prepareHighlighter }] = await Promise.all([
      import("../render/source/source-renderer.ts"),
      import("../render/source/highlighter.ts"),
    ]);
    await prepareHighlighter();
    return renderSource;
  },
  async jsx() {
    return (await import("../render/jsx/compiler.ts")).compileJsxSource;
  },
  async diff() {
    const { exactDiff } = await import("../diff/exact-diff.ts");
    return ({ before, after }) => Promise.resolve(exactDiff(before, after));
  },
};

async function answer<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]) {
  const run = await loaders[name]();
  process.send?.({ loaded: true, cpuMs: cpuClock() } satisfies TaskReport);
  return run(input);
}

process.on("message", async (request: TaskRequest) => {
  const outcome = await answer(request.name, request.input).then(
    (output) => ({ output }),
    (error: unknown) => ({ failure: String(error) }),
  );
  process.send?.({ ...outcome, residentBytes: process.memoryUsage.rss() } satisfies TaskReport);
});

// The server is gone, however it ended: nothing may be left running.
process.on("disconnect", () => process.exit());
