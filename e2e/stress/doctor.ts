// The doctor's word on a data directory or a database, after whatever a campaign did to it.
import { cleanEnvironment, repository } from "../harness/process.ts";
import { assert } from "./stress-test.ts";

export type Patient = { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };

/** @throws with what the doctor says, where not every invariant holds */
export async function doctorIsContent(patient: Patient): Promise<void> {
  const doctor = Bun.spawn([process.execPath, "run", "doctor"], {
    cwd: repository,
    env: { ...cleanEnvironment(), ...patient },
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
