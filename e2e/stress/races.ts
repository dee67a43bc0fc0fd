// Many concurrent writers of one thing: exactly one wins if only one can, and no write is lost if all can.
import { startInstance } from "../harness/instance.ts";
import { send } from "../harness/http.ts";
import { createArtifact, createPerson, createProject, fresh, type Person } from "../harness/people.ts";
import { assert, type StressTest } from "./stress-test.ts";

const writersWithoutExpectation = 64;

/** The number of answers by status. */
function countStatuses(statuses: readonly number[]): Record<number, number> {
  return Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, all]) => [status, all.length]),
  );
}

async function creatorsOfOneSlug(origin: string, person: Person, projectSlug: string, count: number) {
  const slug = fresh("wanted");
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(`${origin}/api/artifacts`, {
        method: "POST",
        token: person.token,
        body: {
          projectSlug,
          slug,
          type: "md",
          title: "Wanted",
          content: `# By ${index}\n`,
          access: { publicView: true, publicEdit: false },
        },
      }),
    ),
  );
  const statuses = countStatuses(answers.map(({ status }) => status));
  assert(statuses[201] === 1 && statuses[409] === count - 1, () => `creators of one slug: ${JSON.stringify(statuses)}`);
  const codes = new Set(
    answers.filter(({ status }) => status === 409).map(({ text }) => (JSON.parse(text) as { code: string }).code),
  );
  assert(
    codes.size === 1 && codes.has("slug_conflict"),
    () => `codes of the refused creators: ${[...codes].join(", ")}`,
  );
  return statuses;
}

async function writersOfOneVersion(origin: string, person: Person, projectSlug: string, count: number) {
  const { artifactId } = await createArtifact(person, projectSlug);
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      send(`${origin}/api/artifacts/${artifactId}/versions`, {
        method: "POST",
        token: person.token,
        body: { content: `# Writer ${index}\n`, expectedLatestVersion: 1 },
      }),
    ),
  );
  const statuses = countStatuses(answers.map(({ status }) => status));
  assert(
    statuses[201] === 1 && statuses[409] === count - 1,
    () => `writers expecting one version: ${JSON.stringify(statuses)}`,
  );
  const { latestVersion } = await person.client.call("artifact.get", { artifactId });
  assert(latestVersion === 2, () => `the head after the race is ${latestVersion}`);
  return statuses;
}

async function writersOfAnyVersion(origin: string, person: Person, projectSlug: string, count: number) {
  const { artifactId } = await createArtifact(person, projectSlug);
  const written = new Map<number, string>();
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const content = `# Writer ${index}\n`;
      const { versionNumber } = await person.client.call("version.create", { artifactId, content });
      assert(!written.has(versionNumber), () => `version ${versionNumber} was given twice`);
      written.set(versionNumber, content);
    }),
  );
  const numbers = [...written.keys()].toSorted((a, b) => a - b);
  assert(
    numbers.every((number, index) => number === index + 2),
    () => `numbers are not contiguous: ${numbers.join(" ")}`,
  );
  for (const [version, content] of written) {
    const read = await send(`${origin}/api/artifacts/${artifactId}/content?version=${version}`);
    assert(
      read.text === content,
      () => `version ${version} holds ${JSON.stringify(read.text)} instead of ${JSON.stringify(content)}`,
    );
  }
  return { versions: numbers.length };
}

export const races: StressTest = {
  claim: "one creator of a slug wins, one writer of an expected version wins, and without expectation none is lost",
  count: 500,
  shortCount: 500,

  async run({ count }) {
    const instance = await startInstance();
    try {
      const person = await createPerson(instance);
      const { slug } = await createProject(person);
      return {
        slug: await creatorsOfOneSlug(instance.origin, person, slug, count),
        expected: await writersOfOneVersion(instance.origin, person, slug, count),
        unexpected: await writersOfAnyVersion(instance.origin, person, slug, writersWithoutExpectation),
      };
    } finally {
      await instance.stop();
    }
  },
};
