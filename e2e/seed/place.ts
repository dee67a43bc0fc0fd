// Where `bun run seed` goes: the address, the operator token and the database of an instance that runs.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { repository } from "../harness/process.ts";
import type { DemoTarget } from "../screenshots/demo-workspace.ts";

/** Told in one line. */
export class SeedFailure extends Error {
  override readonly name = "SeedFailure";
}

type Variables = Readonly<Record<string, string | undefined>>;

/** @throws SeedFailure where no instance answers, or its operator token is unknown */
export async function findPlace(variables: Variables, baseUrl?: string): Promise<DemoTarget> {
  const given = baseUrl ?? (variables["SERVICE_BASE_URL"] || "http://localhost:3000");
  const origin = URL.parse(given)?.origin;
  if (origin === undefined) throw new SeedFailure(`${given} is not a URL.`);
  const answers = await fetch(`${origin}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!answers) throw new SeedFailure(`No instance answers at ${origin}. Run \`bun run dev\` or \`bun start\` first.`);
  // `bun --cwd` has changed the working directory.
  const dataDir = resolve(repository, variables["DATA_DIR"] || "data");
  const tokenFile = join(dataDir, "operator-token");
  const operatorToken =
    variables["OPERATOR_TOKEN"] || (existsSync(tokenFile) && readFileSync(tokenFile, "utf8").trim());
  if (!operatorToken) throw new SeedFailure(`There is no ${tokenFile}. Set DATA_DIR or OPERATOR_TOKEN.`);
  return { origin, operatorToken, databaseUrl: variables["DATABASE_URL"] || embeddedUrl(dataDir) };
}

/** Of the embedded database that runs on the data directory; null where none does. */
function embeddedUrl(dataDir: string): string | null {
  const [pidFile, passwordFile] = [join(dataDir, "postgres/postmaster.pid"), join(dataDir, "postgres-password")];
  if (!existsSync(pidFile) || !existsSync(passwordFile)) return null;
  const socket = readFileSync(pidFile, "utf8").split("\n")[4] ?? "";
  const password = readFileSync(passwordFile, "utf8").trim();
  return `postgres://plinth:${password}@localhost:5432/plinth?host=${encodeURIComponent(socket)}`;
}
