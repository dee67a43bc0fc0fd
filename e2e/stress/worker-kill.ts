// kill -9 of the process that runs jobs: every job still completes, none has a visible second effect, and none stays
// active forever.
import { rm } from "node:fs/promises";

import { inviteStranger, openInbox } from "../harness/inbox.ts";
import { clientOf, createArtifact, createPerson, createProject, fresh } from "../harness/people.ts";
import { temporaryFolder, withoutScreenshots, withScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";
import { doctorIsContent } from "./doctor.ts";
import { shapes } from "./job-process.ts";
import { foundBy } from "../harness/found.ts";
import { causedJobs, jobsSettled } from "../harness/jobs-settled.ts";

/** Published before each kill, in two sizes: the work of one job, and of many. */
const publishes = 8;
/** Kills between checks: jobs of one kill are interrupted again by the next. */
const betweenLooks = 5;
const filler = Array.from({ length: 6000 }, (_, n) => `filler${n}`).join(" ");

export const workerKill: StressTest = {
  claim: "whoever does the jobs is killed amid them: each is done, none twice to be seen, none is lost or left at work",
  count: 100,
  shortCount: 1,

  async run({ count, seed, only = "apart", screenshots = false }) {
    const start = shapes[only];
    assert(start !== undefined, () => `there is no ${only}`);
    const random = randomFrom(seed);
    const folder = await temporaryFolder("worker-kill");
    const inbox = await openInbox();
    const jobs = await start(folder, { ...inbox.env, ...(screenshots ? withScreenshots : withoutScreenshots) });
    /** The last word published to each artifact. */
    const words = new Map<string, string>();
    const invited: string[] = [];
    const seen = { caught: 0, mails: 0, mailedAgain: 0 };
    try {
      const person = await createPerson(jobs.front);
      const { slug } = await createProject(person);
      for (let kill = 0; kill < count; kill++) {
        const client = clientOf(jobs.front.origin, person.token);
        await inParallel(publishes, publishes, async (n) => {
          const word = fresh("kept").replaceAll("-", "");
          const content = `# ${word}\n${n % 2 === 0 ? filler : "short"}\n`;
          const { artifactId } = await createArtifact({ ...person, client }, slug, { content });
          words.set(artifactId, word);
        });
        if (kill % betweenLooks === 0) invited.push(await inviteStranger(jobs.front));
        await Bun.sleep(50 + random() * 400);
        await jobs.kill();
        await jobs.start();
        seen.caught += (await causedJobs(jobs.front)).filter(({ state }) => state === "active").length;
        if (kill % betweenLooks === betweenLooks - 1 || kill === count - 1) {
          const here = { ...person, client: clientOf(jobs.front.origin, person.token) };
          await inParallel(words.size, 4, async (n) => {
            const [artifactId, word] = [...words][n] ?? ["", ""];
            await foundBy(here, word, artifactId);
          });
          await jobsSettled(jobs.front);
          words.clear();
          await doctorIsContent(jobs.database);
        }
      }
      for (const email of invited) {
        const mails = inbox.deliveries.filter(({ to }) => to === email);
        assert(mails.length > 0, () => `${email} was invited and got no mail`);
        // A mail server that accepted a mail just before the kill gets it again, and shows one of the two.
        assert(new Set(mails.map(({ messageId }) => messageId)).size === 1, () => `${email} sees more than one mail`);
        seen.mails += 1;
        seen.mailedAgain += mails.length - 1;
      }
      assert(count < 20 || seen.caught > 0, () => "no job was ever at work when its process was killed");
      return { kills: count, published: count * publishes, ...seen };
    } finally {
      await jobs.stop();
      await inbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
