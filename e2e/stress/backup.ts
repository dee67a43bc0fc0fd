// Backups taken while people publish, restore, delete and change access: each restored backup has every write that was
// acknowledged before it began, and the access that was granted then.
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { Client } from "@plinth/contract/client";

import { ownDatabase, scaledOut } from "../harness/database.ts";
import { send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createArtifact, createPerson, createProject, signIn, type Person } from "../harness/people.ts";
import { forgetful, startPostgres } from "../harness/postgres.ts";
import { cleanEnvironment, outputOf, repository, temporaryFolder } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { checkLedger, Ledger, writeUntilKilled } from "./crash-ledger.ts";

const artifactsOfRound = 5;

/** Runs `bun run backup` or `bun run restore`. @throws with its output if it fails */
const command = (name: "backup" | "restore", file: string, env: Readonly<Record<string, string>>) =>
  outputOf([process.execPath, "run", name, file], { cwd: repository, env: { ...cleanEnvironment(), ...env } });

/** Writers of an instance, and the writes acknowledged to them. */
function startWriting(client: Client, ledger: Ledger, random: () => number) {
  const stop = new AbortController();
  const stopping = {
    ...client,
    call: ((...call: Parameters<Client["call"]>) => {
      if (stop.signal.aborted) throw new Error("told to stop");
      return client.call(...call);
    }) as Client["call"],
  };
  const writing = [...ledger.entries.keys()].map((artifactId, index) =>
    writeUntilKilled(stopping, ledger, artifactId, randomFrom(Math.floor(random() * 2 ** 31) + index)),
  );
  return {
    async stop() {
      stop.abort();
      return (await Promise.all(writing)).reduce((sum, acknowledged) => sum + acknowledged, 0);
    },
  };
}

/** Changes the access of one artifact all the time; records the viewers acknowledged last. */
function startSharing(client: Client, artifactId: string) {
  let stopped = false;
  const state = { acknowledged: 0, sent: 0 };
  const access = { publicView: false, publicEdit: false };
  const sharing = (async () => {
    while (!stopped) {
      state.sent++;
      await client.call("access.update", { artifactId, ...access, viewerEmails: [`reader${state.sent}@example.com`] });
      state.acknowledged = state.sent;
    }
  })();
  return {
    state,
    async stop() {
      stopped = true;
      await sharing;
    },
  };
}

interface Before {
  readonly ledger: Ledger;
  readonly shared: string;
  /** Changes of its access that had been acknowledged when the backup began. */
  readonly acknowledged: number;
  readonly person: Person;
  readonly session: string;
}

/** Checks an instance on the restored data. */
async function check(instance: Instance, before: Before, sentInAll: number): Promise<void> {
  const { ledger, shared, acknowledged, person, session } = before;
  await checkLedger(instance.origin, person.token, ledger);
  const { viewerEmails } = await clientOf(instance.origin, person.token).call("access.get", { artifactId: shared });
  const last = Number(/\d+/.exec(viewerEmails[0] ?? "")?.[0] ?? 0);
  assert(
    last >= acknowledged && last <= sentInAll,
    () => `access is that of change ${last}; ${acknowledged} were acknowledged, ${sentInAll} sent`,
  );
  const whoami = await send(`${instance.origin}/api/profile/me`, { token: session });
  assert(whoami.status === 200, () => `the session of before answers ${whoami.status}`);
  await createArtifact({ ...person, client: clientOf(instance.origin, person.token) }, "restored-into");
}

interface Places {
  /** For files. */
  readonly folder: string;
  /** The URL of a server for databases. */
  readonly server: string;
}

async function round(
  instance: Instance,
  person: Person,
  { folder, server }: Places,
  random: () => number,
): Promise<number> {
  const { slug } = await createProject(person);
  const ledger = new Ledger();
  const made = await Promise.all(Array.from({ length: artifactsOfRound }, () => createArtifact(person, slug)));
  for (const { artifactId } of made) ledger.begin(artifactId, "# First\n");
  const shared = (await createArtifact(person, slug)).artifactId;
  const session = await signIn(instance, person.userId);
  const writing = startWriting(person.client, ledger, random);
  const sharing = startSharing(person.client, shared);
  await Bun.sleep(100 + random() * 400);

  const before: Before = { ledger: ledger.copy(), shared, acknowledged: sharing.state.acknowledged, person, session };
  const file = join(folder, "backup");
  await command("backup", file, { DATA_DIR: instance.dataDir });
  const acknowledged = await writing.stop();
  await sharing.stop();
  // A backup can contain writes that were sent after it began.
  for (const [artifactId, { sent }] of ledger.entries)
    for (const text of sent) before.ledger.entry(artifactId).sent.add(text);
  for (const [artifactId, { deleted }] of ledger.entries)
    if (deleted !== "no" && before.ledger.entry(artifactId).deleted === "no")
      before.ledger.entry(artifactId).deleted = "asked";

  await intoFolder(file, folder, before, sharing.state.sent);
  await intoDatabase(file, { folder, server }, before, sharing.state.sent);
  return acknowledged;
}

async function intoFolder(file: string, folder: string, before: Before, sent: number): Promise<void> {
  const dataDir = join(folder, "restored");
  await command("restore", file, { DATA_DIR: dataDir });
  const restored = await startInstance({ dataDir });
  await check(restored, before, sent).finally(() => restored.stop());
  await rm(dataDir, { recursive: true });
}

async function intoDatabase(file: string, { folder, server }: Places, before: Before, sent: number): Promise<void> {
  const database = await ownDatabase(server);
  const dataDir = join(folder, "apart");
  await command("restore", file, { DATABASE_URL: database.url, DATA_DIR: dataDir });
  const secret = (await Bun.file(join(dataDir, "secret")).text()).trim();
  const restored = await startInstance({ dataDir, env: { ...scaledOut(database.url), SECRET: secret } });
  await check(restored, before, sent).finally(() => restored.stop());
  await database.drop();
  await rm(dataDir, { recursive: true });
}

export const backup: StressTest = {
  claim:
    "a backup taken under load has every write acknowledged before it, and restores into an empty place, keys included",
  count: 50,
  shortCount: 1,

  async run({ count, seed }) {
    const random = randomFrom(seed);
    const [folder, dataDir] = [await temporaryFolder("backup"), await temporaryFolder("backup-server")];
    let acknowledged = 0;
    const [instance, server] = await Promise.all([startInstance(), startPostgres(dataDir, forgetful)]);
    const places = { folder, server: server.url };
    try {
      const person = await createPerson(instance);
      await person.client.call("project.create", { slug: "restored-into", title: "A project", icon: "P" });
      for (let done = 0; done < count; done++) acknowledged += await round(instance, person, places, random);
    } finally {
      await Promise.all([instance.stop(), server.end("SIGINT")]);
      for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
    }
    return { rounds: count, restored: 2 * count, acknowledged };
  },
};
