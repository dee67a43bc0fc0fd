// Runs the doctor on a data directory or a database after a stress test.
import { cleanEnvironment, repository } from "../harness/process.ts";
import { assert } from "./stress-test.ts";

export type DatabasePlace = { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };

/** @throws with the doctor's output if an invariant is violated */
export async function doctorIsContent(database: DatabasePlace): Promise<void> {
  const doctor = Bun.spawn([process.execPath, "run", "doctor"], {
    cwd: repository,
    env: { ...cleanEnvironment(), ...database },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint, status] = await Promise.all([
    new Response(doctor.stdout).text(),
    new Response(doctor.stderr).text(),
    doctor.exited,
  ]);
  assert(status === 0, () => `the doctor is not content (${status})\n${output}\n${complaint}`);
}
