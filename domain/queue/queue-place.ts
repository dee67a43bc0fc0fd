// Where the queue lives: in Redis if there is one, otherwise in its own schema of the same PostgreSQL. Only this file
// knows BullMQ's connection options for both.
import { Client, type ClientConfig } from "pg";

import { ofRedis, type RedisTrouble } from "../redis-trouble.ts";
import type { QueueName } from "./kinds.ts";

/** Redis where its address is given. */
export interface QueuePlace {
  readonly databaseUrl: string;
  readonly redisUrl?: string;
}

/** The name of the BullMQ queue. */
export const storedName = (name: QueueName): string => `plinth-${name}`;

/**
 * A lost socket may emit a second error after its query has failed and the pool has released the client; without a
 * listener it would end the process.
 */
class EnduringClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    this.on("error", () => undefined);
  }
}

/** `max` is how many connections are held at once, beside one that listens where jobs are taken. */
export const onPostgres = ({ databaseUrl }: QueuePlace, max: number) => ({
  connection: {
    connectionString: databaseUrl,
    application_name: "plinth-queue",
    schema: "bullmq",
    migrate: true,
    max,
    Client: EnduringClient,
  },
});

/**
 * Does it while no other process does: BullMQ's functions on PostgreSQL look before they write, and two that looked at
 * the same moment write twice. Its scripts on Redis are alone by themselves.
 */
export async function whileAlone({ databaseUrl, redisUrl }: QueuePlace, work: () => Promise<void>): Promise<void> {
  if (redisUrl !== undefined) return work();
  const client = new EnduringClient({ connectionString: databaseUrl, application_name: "plinth-queue" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock(hashtextextended('plinth:schedules', 0))");
    await work();
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

/** An error of the queue; `RedisTrouble` where it is on Redis, and Redis is to blame. */
export const blame = <Thrown>({ redisUrl }: QueuePlace, error: Thrown): Thrown | RedisTrouble =>
  redisUrl === undefined ? error : ofRedis(error);

export const onRedis = (redisUrl: string) => ({ connection: { url: redisUrl, maxRetriesPerRequest: null } });
