// `bun run seed`: fills a running instance with the demo workspace of the screenshots, and prints how to sign in to it.
// If the workspace exists already, it prints new sign-in links.
import { parseArgs } from "node:util";

import { ProblemError } from "@plinth/contract/client";
import { encodeId } from "@plinth/contract/ids";
import { SQL } from "bun";

import { operatorOf } from "../harness/people.ts";
import { demoDocuments } from "../screenshots/documents.ts";
import {
  emailOf,
  createDemoWorkspace,
  demoAgents,
  demoPeople,
  demoProjects,
  demoSlug,
  type DemoPerson,
  type DemoTarget,
} from "../screenshots/demo-workspace.ts";
import { findPlace, SeedFailure } from "./place.ts";

const usage = `usage: bun run seed [--base-url URL]

  --base-url URL  the instance (SERVICE_BASE_URL; http://localhost:3000)

The operator token is OPERATOR_TOKEN or the one in DATA_DIR (./data). Dates in the past need the instance's
database: DATABASE_URL, or the embedded one in DATA_DIR.`;

const { values } = parseArgs({ options: { "base-url": { type: "string" }, help: { type: "boolean", short: "h" } } });
if (values.help) {
  console.log(usage);
  process.exit();
}
try {
  const place = await findPlace(process.env, values["base-url"]);
  const people = (await create(place)) ?? (await findPeople(place));
  await printLinks(place, people);
} catch (error) {
  if (!(error instanceof SeedFailure)) throw error;
  console.error(`seed: ${error.message}`);
  process.exit(1);
}

/** Creates the workspace and describes it; null if the instance has it already. */
async function create(place: DemoTarget): Promise<readonly DemoPerson[] | null> {
  const startedAt = performance.now();
  try {
    const { people } = await createDemoWorkspace(place);
    const versions = demoDocuments.reduce((sum, { editions }) => sum + editions.length, 0);
    console.log(`Created Northlight Studio in ${((performance.now() - startedAt) / 1000).toFixed(1)} s:
  ${people.length} people, ${demoAgents.length} agents, ${demoProjects.length} projects, ${demoDocuments.length} artifacts with ${versions} versions
  ${place.origin}/${demoSlug}`);
    if (place.databaseUrl === null)
      console.log("  Everything is dated today: set DATA_DIR or DATABASE_URL for dates in the past.");
    return people;
  } catch (error) {
    const isThere = error instanceof ProblemError && /^(?:slug|email)_conflict$/.test(error.problem.code);
    if (!isThere) throw error;
    console.log(`Northlight Studio already exists: ${place.origin}/${demoSlug}`);
    return null;
  }
}

/** The workspace's people in the database. */
async function findPeople({ databaseUrl }: DemoTarget): Promise<readonly DemoPerson[]> {
  if (databaseUrl === null) throw new SeedFailure("New sign-in links need the database: set DATA_DIR or DATABASE_URL.");
  const sql = new SQL(databaseUrl, { max: 1 });
  const people: DemoPerson[] = [];
  for (const [username, name, role] of demoPeople) {
    const rows: { user_id: string }[] = await sql`SELECT user_id FROM "user" WHERE email = ${emailOf(username)}`;
    for (const { user_id } of rows) people.push({ userId: encodeId("usr", user_id), username, name, role });
  }
  await sql.close();
  return people;
}

async function printLinks(place: DemoTarget, people: readonly DemoPerson[]): Promise<void> {
  console.log("\nSign in (each link works once, within 30 minutes; run this again for new links):");
  for (const { userId, name, role } of people) {
    const { url } = await operatorOf(place).call("operator.createSignInLink", { userId });
    console.log(`  ${`${name}, ${role.replace("_", " ")}`.padEnd(30)} ${url}`);
  }
}
