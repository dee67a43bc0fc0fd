// Load during a fault: workers that publish, read and search. It records the outcome of each request, and each
// acknowledged version in a ledger. Judges nothing.
import { createHash } from "node:crypto";

import { fresh, createArtifact, createProject, type Person } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import type { Ledger } from "./crash-ledger.ts";
import { assert } from "./stress-test.ts";

export type Act = "publish" | "content" | "artifact" | "search";

export interface Outcome {
  readonly act: Act;
  /** By the process's clock, in ms. */
  readonly sentAt: number;
  readonly ms: number;
  /** Zero if no answer came. */
  readonly status: number;
  /** The problem's code, or why no answer came. */
  readonly code: string;
  readonly detail: string;
  readonly retryAfter: string | null;
  /** The published version, if the request published. */
  readonly published?: { readonly artifactId: string; readonly sha256: string };
}

export interface LoadPlace {
  readonly origin: string;
  readonly person: Person;
  readonly artifactIds: readonly string[];
  readonly ledger: Ledger;
}

export interface Load {
  readonly outcomes: readonly Outcome[];
  /** Waits for requests in progress. */
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly workers: number;
  readonly random: () => number;
  /** Between the requests of a worker. */
  readonly pauseMs: number;
  /** A new connection for each request, so that none is lost with a connection that the server closes. */
  readonly apart?: boolean;
}

/** Artifacts of one person to publish to, in the ledger from their first version on. */
export async function makePlace(origin: string, person: Person, ledger: Ledger, count: number): Promise<LoadPlace> {
  const { slug } = await createProject(person);
  const content = "# First\n";
  const made = await Promise.all(Array.from({ length: count }, () => createArtifact(person, slug, { content })));
  for (const { artifactId } of made) ledger.begin(artifactId, content);
  return { origin, person, artifactIds: made.map(({ artifactId }) => artifactId), ledger };
}

/** Between requests that get no answer. */
const awayMs = 100;

/** Sends requests until it is stopped. */
export function startLoad(place: LoadPlace, { workers, random, pauseMs, apart = false }: LoadOptions): Load {
  const outcomes: Outcome[] = [];
  let stopped = false;
  const worker = async () => {
    while (!stopped) {
      const artifactId = place.artifactIds[Math.floor(random() * place.artifactIds.length)] ?? "";
      const outcome = await once(place, artifactId, random(), apart);
      outcomes.push(outcome);
      // While no server listens, more requests show nothing new.
      await Bun.sleep(outcome.status === 0 ? awayMs : pauseMs * 2 * random());
    }
  };
  const running = Promise.all(Array.from({ length: workers }, worker));
  return {
    outcomes,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

async function once(place: LoadPlace, artifactId: string, turn: number, apart: boolean): Promise<Outcome> {
  const at = `/api/artifacts/${artifactId}`;
  if (turn < 0.4) return publish(place, artifactId, apart);
  if (turn < 0.7) return ask(place, "content", `${at}/content`, apart);
  if (turn < 0.9) return ask(place, "artifact", at, apart);
  return ask(place, "search", "/api/artifacts?q=text", apart);
}

/** Publishes a unique version of at most 32 KB. */
export async function publish(place: LoadPlace, artifactId: string, apart = false): Promise<Outcome> {
  const content = `# ${fresh("text")}\n${"text and more ".repeat(1 + Math.floor(Math.random() * 2000))}\n`;
  const entry = place.ledger.entry(artifactId);
  entry.sent.add(content);
  const body = JSON.stringify({ content });
  const init = { method: "POST", body, headers: { "content-type": "application/json" } };
  const { text, ...outcome } = await recorded(place, "publish", `/api/artifacts/${artifactId}/versions`, apart, init);
  if (outcome.status === 201)
    entry.versions.set((JSON.parse(text) as { versionNumber: number }).versionNumber, content);
  return { ...outcome, published: { artifactId, sha256: createHash("sha256").update(content).digest("hex") } };
}

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(place: LoadPlace, act: Act, path: string, apart = false): Promise<Outcome> {
  const { text: _, ...outcome } = await recorded(place, act, path, apart);
  return outcome;
}

async function recorded(
  { origin, person }: LoadPlace,
  act: Act,
  path: string,
  apart: boolean,
  { headers: more = {}, ...init }: Sent = {},
): Promise<Outcome & { text: string }> {
  const sentAt = performance.now();
  const headers = { ...more, authorization: `Bearer ${person.token}` };
  try {
    const request = { ...init, headers, keepalive: !apart, signal: AbortSignal.timeout(hung) };
    const response = await fetch(origin + path, request);
    const text = await response.text();
    const problem = response.ok ? null : problemIn(text);
    return {
      act,
      sentAt,
      ms: performance.now() - sentAt,
      status: response.status,
      code: problem?.code ?? "",
      detail: problem?.detail ?? text.slice(0, 100),
      retryAfter: response.headers.get("retry-after"),
      text,
    };
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    return {
      act,
      sentAt,
      ms: performance.now() - sentAt,
      status: 0,
      code,
      detail: message,
      retryAfter: null,
      text: "",
    };
  }
}

function problemIn(text: string): { code: string; detail: string } {
  try {
    return JSON.parse(text) as { code: string; detail: string };
  } catch {
    return { code: "no problem", detail: text.slice(0, 300) };
  }
}

/** The number of requests by outcome. */
export function countOutcomes(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { act, status, code } of outcomes) {
    const name = `${act} ${status}${code === "" ? "" : ` ${code}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The ms until a read and a publish have both succeeded. */
export async function untilBack(place: LoadPlace): Promise<number> {
  const since = performance.now();
  const [artifactId = ""] = place.artifactIds;
  const succeeds = async (attempt: () => Promise<Outcome>) => {
    while ((await attempt()).status >= 300) {
      assert(performance.now() - since < hung, () => "the instance did not come back");
      await Bun.sleep(20);
    }
  };
  await succeeds(() => ask(place, "content", `/api/artifacts/${artifactId}/content`));
  await succeeds(() => publish(place, artifactId));
  return performance.now() - since;
}

/** Done, or refused temporarily as the contract says. */
export const isAnswered = ({ status, code, retryAfter }: Outcome): boolean =>
  (status >= 200 && status < 300) || (status === 503 && code === "unavailable" && Number(retryAfter) > 0);
