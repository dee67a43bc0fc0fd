import { expect, test } from "bun:test";
import { join } from "node:path";

const run = (program: string) =>
  Bun.spawn(
    [
      process.execPath,
      "-e",
      `import { endLeftovers, markRun } from "${join(import.meta.dir, "leftovers.ts")}";${program}`,
    ],
    {
      stdout: "pipe",
    },
  );

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The first line of the output, as a number. */
async function pidFrom(started: ReturnType<typeof run>): Promise<number> {
  const { value } = await started.stdout.getReader().read();
  return Number(new TextDecoder().decode(value).trim());
}

const startSleep = `const sleeping = Bun.spawn(["sleep", "1000"], { env: process.env }); console.log(sleeping.pid);`;

test.if(process.platform === "linux")("what a run started ends when the run is killed", async () => {
  const started = run(`markRun(); ${startSleep} await sleeping.exited;`);
  const pid = await pidFrom(started);
  expect(isAlive(pid)).toBe(true);
  started.kill("SIGKILL");
  while (isAlive(pid)) await Bun.sleep(20);
});

test.if(process.platform === "linux")("what a run left is named and ended", async () => {
  const started = run(`markRun(); ${startSleep} sleeping.unref(); console.log(JSON.stringify(await endLeftovers(0)));`);
  const lines = (await new Response(started.stdout).text()).trim().split("\n");
  expect(JSON.parse(lines[1] ?? "")).toEqual([{ pid: Number(lines[0]), command: "sleep 1000" }]);
  while (isAlive(Number(lines[0]))) await Bun.sleep(20);
});
