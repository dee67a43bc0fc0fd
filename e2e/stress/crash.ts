// kill -9 of the process during publishing, restoring and deleting: every acknowledged write survives, no content is
// torn, and the next start is not slower.
import { rm } from "node:fs/promises";

import { createClient } from "@plinth/contract/client";

import { startInstance, type Instance } from "../harness/instance.ts";
import { temporaryFolder } from "../harness/process.ts";
import { createArtifact, createPerson, createProject, type Person } from "../harness/people.ts";
import { randomFrom } from "../harness/random.ts";
import { type StressTest, spreadOf } from "./stress-test.ts";
import { checkLedger, Ledger, writeUntilKilled } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";

const artifactsPerRound = 6;

async function round(
  instance: Instance,
  person: Person,
  projectSlug: string,
  ledger: Ledger,
  random: () => number,
): Promise<number> {
  const client = createClient({ baseUrl: instance.origin, headers: { authorization: `Bearer ${person.token}` } });
  const here: Person = { ...person, client };
  const artifacts = await Promise.all(
    Array.from({ length: artifactsPerRound }, () => createArtifact(here, projectSlug)),
  );
  const writers = artifacts.map(({ artifactId }, index) => {
    ledger.begin(artifactId, "# First\n");
    return writeUntilKilled(client, ledger, artifactId, randomFrom(Math.floor(random() * 2 ** 31) + index));
  });
  await Bun.sleep(30 + random() * 300);
  await instance.kill();
  return (await Promise.all(writers)).reduce((sum, acknowledged) => sum + acknowledged, 0);
}

export const crash: StressTest = {
  claim: "after kill -9 every acknowledged version is there with its hash, numbers have no gaps, the doctor is content",
  count: 1_000,
  shortCount: 2,

  async run({ count, seed }) {
    const random = randomFrom(seed);
    const dataDir = await temporaryFolder("crash");
    const starts: number[] = [];
    let acknowledged = 0;
    let instance = await startInstance({ dataDir });
    try {
      const person = await createPerson(instance);
      const { slug } = await createProject(person);
      for (let done = 0; done < count; done++) {
        const ledger = new Ledger();
        acknowledged += await round(instance, person, slug, ledger, random);
        instance = await startInstance({ dataDir });
        starts.push(instance.readyMs);
        await checkLedger(instance.origin, person.token, ledger);
        // Every round of a short run; a sample of a long one, and always the last.
        if (count <= 20 || done % 20 === 0 || done === count - 1) await doctorIsContent({ DATA_DIR: dataDir });
      }
    } finally {
      await instance.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    return { rounds: count, acknowledged, startMs: spreadOf(starts) };
  },
};
