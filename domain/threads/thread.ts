// The program of one thread: answers the pool's requests one after the other.
// It has no environment, no database and no secret; it must stay that way.
import type { TaskName, TaskReply, TaskRequest, Tasks } from "./tasks.ts";

type Handlers = {
  [Name in TaskName]: (input: Tasks[Name]["input"]) => Promise<Tasks[Name]["output"]>;
};

const handlers: Handlers = {
  markdown: async (source) => (await import("../render/markdown/renderer.ts")).renderMarkdown(source),
  source: async (source) => (await import("../render/source/source-renderer.ts")).renderSource(source),
  jsx: async (source) => (await import("../render/jsx/compiler.ts")).compileJsxSource(source),
  diff: async ({ before, after }) => (await import("../diff/exact-diff.ts")).exactDiff(before, after),
};

function run<Name extends TaskName>(name: Name, input: Tasks[Name]["input"]) {
  return handlers[name](input);
}

process.on("message", async (request: TaskRequest) => {
  const outcome = await run(request.name, request.input).then(
    (output) => ({ output }),
    (error: unknown) => ({ failure: String(error) }),
  );
  process.send?.({ ...outcome, residentBytes: process.memoryUsage.rss() } satisfies TaskReply);
});

// The server is gone, however it ended: nothing may be left running.
process.on("disconnect", () => process.exit());
