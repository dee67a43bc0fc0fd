// Tasks as an agent does them on a real instance. The agent knows only what the command line prints, and the result is
// checked over REST. A third of the tasks run, each in one distribution, by the seed of the run; `TEST_SAMPLES=all bun run
// test e2e/command-line/tasks` runs each in both.
import { afterAll, beforeAll, describe, setDefaultTimeout, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";

import { distributions } from "../../harness/distributions.ts";
import type { Instance } from "../../harness/instance.ts";
import { hung, temporaryFolder } from "../../harness/process.ts";
import { sharedInstance } from "../../harness/shared.ts";
import { sample, testRandom } from "../../harness/test-seed.ts";
import { createTaskContext, type TaskContext } from "./task-context.ts";
import { editOneLine } from "./edit-one-line.ts";
import { findWhatWasPublished } from "./find-what-was-published.ts";
import { growIntoAScope } from "./grow-into-a-scope.ts";
import { keepASecretIn } from "./keep-a-secret-in.ts";
import { lendAnEditorLink } from "./lend-an-editor-link.ts";
import { listEverything } from "./list-everything.ts";
import { fixASource } from "./fix-a-source.ts";
import { recoverFromAConflict } from "./recover-from-a-conflict.ts";
import { showItToOne } from "./show-it-to-one.ts";
import { workInCi } from "./work-in-ci.ts";
import { publishAFolder } from "./publish-a-folder.ts";
import { publishFromStdin } from "./publish-from-stdin.ts";
import { undoABadUpdate } from "./undo-a-bad-update.ts";
import { updateWithoutKnowing } from "./update-without-knowing.ts";

/** A task has a dozen lines, each of which has the full limit. */
setDefaultTimeout(5 * hung);

const tasks: Readonly<Record<string, (context: TaskContext) => Promise<void>>> = {
  "publishes a report from standard input and gets only its address": publishFromStdin,
  "keeps a document up to date without knowing whether it is there": updateWithoutKnowing,
  "mends one line in a page of 500 KB": editOneLine,
  "finds what was published in a span of time": findWhatWasPublished,
  "lends an editor link for a day": lendAnEditorLink,
  "undoes a bad update": undoABadUpdate,
  "recovers from a version conflict": recoverFromAConflict,
  "works in CI, without terminal, home and standard input": workInCi,
  "moves to a key that has the scopes the work needs": growIntoAScope,
  "shows something to one person and to nobody else": showItToOne,
  "mends a source that does not compile": fixASource,
  "publishes nothing while there is a secret in it": keepASecretIn,
  "lists everything over several pages": listEverything,
};

let instance: Instance;
let folder: string;
beforeAll(async () => {
  [instance, folder] = await Promise.all([sharedInstance(), temporaryFolder("tasks")]);
  await chmod(folder, 0o755);
}, hung);
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true, force: true });
});

const distributionsFor = (task: string) => sample(distributions, 1, testRandom("tasks", task));

const folderTask = "publishes a folder to a server that says to wait, and dies";
const all = [...Object.keys(tasks), folderTask];
const chosen = sample(all, Math.ceil(all.length / 3), testRandom("tasks"));

describe.concurrent("an agent", () => {
  for (const [name, task] of Object.entries(tasks).filter(([one]) => chosen.includes(one)))
    for (const distribution of distributionsFor(name))
      test(`with ${distribution.name} ${name}`, async () => {
        await task(await createTaskContext(instance, distribution, folder));
      });
});

// Not in parallel with the others, because it starts instances and uses both processors.
test.each(chosen.includes(folderTask) ? distributionsFor(folderTask) : [])(
  `an agent with $name ${folderTask}`,
  (distribution) => publishAFolder(distribution, folder),
);
