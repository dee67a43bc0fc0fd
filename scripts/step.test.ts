// The output of a step on standard error.
import { expect, test } from "bun:test";
import { join } from "node:path";

/** Runs one step whose command is a Bun program, in a process that prints a line after it. */
async function step(program: string) {
  const script = `import { runStep } from ${JSON.stringify(join(import.meta.dir, "step.ts"))};
    runStep("building a thing", [process.execPath, "-e", ${JSON.stringify(program)}], ".");
    console.log("went on");`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "pipe" });
  const [output, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { output, errors, status };
}

const talk = `console.log("said"); console.error("warned");`;

test("a step that succeeds is one line with its time, without the output of its command", async () => {
  const { output, errors, status } = await step(talk);
  expect(errors).toMatch(/^plinth: building a thing … \d+\.\d s\n$/);
  expect(output).toBe("went on\n");
  expect(status).toBe(0);
});

test("a step that fails shows the output of its command in order, and ends the process with its status", async () => {
  const { output, errors, status } = await step(`${talk} process.exit(3);`);
  expect(errors).toMatch(/^plinth: building a thing … failed after \d+\.\d s\nsaid\nwarned\n$/);
  expect(output).toBe("");
  expect(status).toBe(3);
});
