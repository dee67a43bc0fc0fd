// The test context: an instance on a new database, with functions that create people, keys and projects, and that call
// operations as any surface does.
import { AppError } from "@plinth/contract/errors";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Artifact } from "@plinth/contract/schemas/artifact";
import { scopes, type Scope } from "@plinth/contract/scopes";
import { newId } from "@plinth/db/columns";
import type { ObjectStore } from "@plinth/db/object-store";
import { membership, workspace } from "@plinth/db/schema/accounts";
import { session } from "@plinth/db/schema/identity";
import { testDatabase, type TestDatabase } from "@plinth/db/test/database";

import type { Call } from "../access/call.ts";
import type { Config } from "../config.ts";
import type { Instance } from "../context.ts";
import { createInstance } from "../instance.ts";
import { invoke } from "../request/invoke.ts";
import { answerOf, type Answer } from "../request/outcome.ts";
import type { JobQueue } from "../queue/queue.ts";
import { mintToken, tokenHash } from "../tokens/token.ts";

export const operatorToken = mintToken("operator");

const config: Config = {
  version: "0.0.0",
  publicUrl: "http://plinth.test",
  contentOrigin: "http://plinth.test",
  secret: "a secret for tests",
  operatorToken,
  defaultPlan: "team",
  maxContentBytes: 64 * 1024,
  // A busy machine takes its time, and what tests read is rendered.
  renderWaitMs: 60_000,
  rateLimits: { reads: 0, writes: 0 },
  htmlCdnAllowlist: [],
  packageRegistry: null,
  remoteImages: false,
  trustedIssuers: [],
  mcpAllowedOrigins: [],
  securityContact: null,
  allowedHosts: [],
  identity: { providers: [], ownerEmail: null },
  mail: null,
  billing: null,
};

const sessionMs = 60 * 60_000;

const nothing = { waiting: 0, active: 0, failed: 0 };

/** A queue without jobs. */
export const emptyQueue: JobQueue = {
  list: () => Promise.resolve([]),
  retry: () => Promise.resolve(null),
  counts: () => Promise.resolve(nothing),
  countsByQueue: () =>
    Promise.resolve({
      quick: nothing,
      thumbnail: nothing,
      billing: nothing,
      upkeep: nothing,
      packages: nothing,
      images: nothing,
    }),
  schedules: () => Promise.resolve([]),
};

/** Who calls: a token, or what a surface would have made of a credential (`setup.session`). */
export type Caller = string | Call["credential"];

/** How a call is made; anonymous without `as`. */
export interface Manner extends Partial<Omit<Call, "credential">> {
  readonly as?: Caller;
}

export interface TestPerson {
  readonly userId: string;
  readonly username: string;
  readonly workspaceId: string;
  /** A key with every scope. */
  readonly token: string;
}

export type Setup = Awaited<ReturnType<typeof createSetup>>;

export async function createSetup(
  changed: Partial<Config> = {},
  queue: JobQueue = emptyQueue,
  objects: ObjectStore | null = null,
) {
  const db: TestDatabase = await testDatabase(objects);
  const instance: Instance = createInstance({ config: { ...config, ...changed }, db, queue });
  let made = 0;

  const setup = {
    db,
    instance,
    /** A name nothing has yet. */
    name: (stem = "name") => `${stem}-${++made}`,

    answer: (name: OperationName, input: object, manner?: Manner): Promise<Answer> =>
      setup.answerOf(instance, name, input, manner),

    /** As another instance would do it. */
    answerOf: (other: Instance, name: OperationName, input: object, { as, ...call }: Manner = {}): Promise<Answer> =>
      invoke(
        other,
        { credential: credentialOf(as), surface: "api", requestId: "req-test", address: "192.0.2.1", ...call },
        name,
        { input: { ...input }, errors: [] },
      ).then(answerOf),

    async call<Name extends OperationName>(name: Name, input: Input<Name>, manner?: Manner): Promise<Output<Name>> {
      return (await setup.answer(name, input, manner)).value as Output<Name>;
    },

    /** The refusal; fails where there is none. */
    async refusal(name: OperationName, input: object, manner?: Manner): Promise<AppError> {
      const thrown = await setup.answer(name, input, manner).then(
        () => null,
        (error: unknown) => error,
      );
      if (!(thrown instanceof AppError)) throw new Error(`${name} was not refused`, { cause: thrown });
      return thrown;
    },

    async person(more: { plan?: "free" | "pro" | "team"; email?: string } = {}): Promise<TestPerson> {
      const username = setup.name("user");
      const wanted = { email: `${username}@example.org`, username, ...more };
      const { userId, workspaceId } = await setup.call("operator.createUser", wanted, { as: operatorToken });
      return { userId, username, workspaceId, token: await setup.key(userId) };
    },

    async key(userId: string, held: readonly Scope[] = scopes, workspaceId?: string): Promise<string> {
      const wanted = { userId, name: "key", scopes: [...held], ...(workspaceId === undefined ? {} : { workspaceId }) };
      const { key } = await setup.call("operator.createApiKey", wanted, { as: operatorToken });
      return key ?? "";
    },

    /** A new browser session of the user. */
    async session(userId: string): Promise<Caller> {
      const token = crypto.randomUUID();
      const expiresAt = new Date(Date.now() + sessionMs);
      await db.orm.insert(session).values({ id: newId("ses"), token, userId, expiresAt });
      return { kind: "session", token };
    },

    /** A team with a member of each role that is named. */
    async team(members: Record<string, WorkspaceRole>): Promise<{ workspaceId: string; slug: string }> {
      const workspaceId = newId("wsp");
      const slug = setup.name("team");
      await db.orm
        .insert(workspace)
        .values({ workspaceId, slug, name: slug, kind: "team", plan: "team", planGranted: "team" });
      const rows = Object.entries(members).map(([userId, role]) => ({ workspaceId, userId, role }));
      if (rows.length > 0) await db.orm.insert(membership).values(rows);
      return { workspaceId, slug };
    },

    async project(as: Caller, ownerUsername?: string) {
      const owner = ownerUsername === undefined ? {} : { ownerUsername };
      return setup.call("project.create", { ...owner, slug: setup.name("project"), title: "P", icon: "p" }, { as });
    },

    /** A public markdown artifact unless told otherwise. */
    async publish(as: Caller, projectSlug: string, more: Partial<Input<"artifact.create">> = {}): Promise<Artifact> {
      const slug = setup.name("artifact");
      const access = { publicView: true, publicEdit: false };
      const wanted = { projectSlug, slug, type: "md" as const, title: "T", content: `# ${slug}`, access, ...more };
      return setup.call("artifact.create", wanted, { as });
    },

    /** How many statements the work sends to the database. */
    async statementsOf(work: () => Promise<unknown>): Promise<number> {
      const before = db.statements.total;
      const clock = Object.getOwnPropertyDescriptor(performance, "now");
      const at = performance.now();
      // `reauthorize` trusts a decision for a moment, which can pass on a busy machine; so the clock stands still.
      performance.now = () => at;
      try {
        await work();
      } finally {
        if (clock !== undefined) Object.defineProperty(performance, "now", clock);
      }
      return db.statements.total - before;
    },

    /** How many rows a table has. */
    async count(table: "artifact" | "version" | "content" | "audit_event" | "outbox" | "idempotency" | "rendering") {
      const [row] = await db.run<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${table}`);
      return row?.rows ?? 0;
    },

    close() {
      instance.watching.close();
      return db.drop();
    },
  };
  return setup;
}

/** A test context with a person and the slug of a project of theirs. The test file closes it. */
export async function createSetupWithProject() {
  const setup = await createSetup();
  const owner = await setup.person();
  return { setup, owner, project: (await setup.project(owner.token)).slug };
}

function credentialOf(caller: Caller = { kind: "none" }): Call["credential"] {
  if (typeof caller !== "string") return caller;
  return { kind: caller.startsWith("plo_") ? "operator" : "key", hash: tokenHash(caller) };
}

/** How work ended: `done`, or the code of its refusal. */
export const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
