// Runs the doctor on a data directory or a database after a stress test.
import { cleanEnvironment, repository, runToEnd } from "../harness/process.ts";
import { assert } from "./stress-test.ts";

export type DatabasePlace = { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };

/** @throws with the doctor's output if an invariant is violated */
export async function doctorIsContent(database: DatabasePlace): Promise<void> {
  const env = { ...cleanEnvironment(), ...database };
  const { code, stdout, stderr } = await runToEnd([process.execPath, "run", "doctor"], { cwd: repository, env });
  assert(code === 0, () => `the doctor is not content (${code})\n${stdout}\n${stderr}`);
}
