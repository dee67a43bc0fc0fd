// The writes acknowledged before a crash, and whether an instance still has them. An unanswered write can have happened
// or not; an answered one must have.
import { createHash } from "node:crypto";

import { ProblemError, type Client } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";

import { send } from "../harness/http.ts";
import { clientOf } from "../harness/people.ts";
import { assert } from "./stress-test.ts";

interface Entry {
  /** Acknowledged content by version number. */
  readonly versions: Map<number, string>;
  /** Everything that a writer has sent, acknowledged or not. */
  readonly sent: Set<string>;
  deleted: "no" | "asked" | "yes";
}

export class Ledger {
  readonly entries = new Map<string, Entry>();

  /** Records an artifact whose first version was acknowledged. */
  begin(artifactId: string, content: string): void {
    this.entries.set(artifactId, { versions: new Map([[1, content]]), sent: new Set([content]), deleted: "no" });
  }

  /** A copy that later writes do not change. */
  copy(): Ledger {
    const copy = new Ledger();
    for (const [artifactId, { versions, sent, deleted }] of this.entries)
      copy.entries.set(artifactId, { versions: new Map(versions), sent: new Set(sent), deleted });
    return copy;
  }

  entry(artifactId: string): Entry {
    const entry = this.entries.get(artifactId);
    if (!entry) throw new Error(`${artifactId} was never begun`);
    return entry;
  }
}

/** Publishes, restores and sometimes deletes until the connection ends; returns how many writes were acknowledged. */
export async function writeUntilKilled(
  client: Client,
  ledger: Ledger,
  artifactId: string,
  random: () => number,
): Promise<number> {
  const entry = ledger.entry(artifactId);
  for (let step = 0; ; step++) {
    const act = random();
    try {
      if (act < 0.7) {
        const content = `# ${artifactId} ${step}\n${"text ".repeat(Math.floor(random() * 4000))}\n`;
        entry.sent.add(content);
        const version = await client.call("version.create", { artifactId, content });
        entry.versions.set(version.versionNumber, content);
      } else if (act < 0.98) {
        const known = [...entry.versions.keys()];
        const versionNumber = known[Math.floor(random() * known.length)] ?? 1;
        const version = await client.call("version.restore", { artifactId, versionNumber });
        entry.versions.set(version.versionNumber, entry.versions.get(versionNumber) ?? "");
      } else {
        entry.deleted = "asked";
        await client.call("artifact.delete", { artifactId });
        entry.deleted = "yes";
        return step + 1;
      }
    } catch (error) {
      if (error instanceof ProblemError) throw error; // an answer, not a crash
      return step;
    }
  }
}

/** Compares an instance with the acknowledged writes. @throws if a version is lost, torn or out of order */
export async function checkLedger(origin: string, token: string, ledger: Ledger): Promise<void> {
  const client = clientOf(origin, token);
  for (const [artifactId, entry] of ledger.entries) {
    if (entry.deleted !== "no") {
      const { status } = await send(`${origin}/api/artifacts/${artifactId}`, { token });
      assert(status === 404 || entry.deleted === "asked", () => `${artifactId} was deleted and answers ${status}`);
      if (status === 404) await client.call("artifact.undelete", { artifactId });
    }
    const { latestVersion } = await client.call("artifact.get", { artifactId });
    const listed = await allVersions(client, artifactId);
    const numbers = listed.map(({ versionNumber }) => versionNumber);
    const wanted = Array.from({ length: latestVersion }, (_, index) => latestVersion - index);
    assert(
      numbers.join() === wanted.join(),
      () => `${artifactId}: head ${latestVersion}, versions ${numbers.join(" ")}`,
    );
    for (const version of listed) await checkVersion(origin, artifactId, entry, version);
    for (const number of entry.versions.keys())
      assert(number <= latestVersion, () => `${artifactId}: version ${number} was acknowledged and is lost`);
  }
}

async function allVersions(client: Client, artifactId: string): Promise<Output<"version.list">["versions"]> {
  const all: Output<"version.list">["versions"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Output<"version.list"> = await client.call("version.list", {
      artifactId,
      limit: 100,
      ...(cursor ? { cursor } : {}),
    });
    all.push(...page.versions);
    cursor = page.nextCursor;
  }
  return all;
}

async function checkVersion(
  origin: string,
  artifactId: string,
  entry: Entry,
  version: Output<"version.list">["versions"][number],
): Promise<void> {
  const { text, status } = await send(`${origin}/api/artifacts/${artifactId}/content?version=${version.versionNumber}`);
  const where = `${artifactId} version ${version.versionNumber}`;
  assert(status === 200, () => `${where} answers ${status}`);
  assert(createHash("sha256").update(text).digest("hex") === version.sha256, () => `${where} does not match its hash`);
  assert(entry.sent.has(text), () => `${where} holds what nobody sent`);
  const acknowledged = entry.versions.get(version.versionNumber);
  assert(acknowledged === undefined || acknowledged === text, () => `${where} is not what was acknowledged`);
}
