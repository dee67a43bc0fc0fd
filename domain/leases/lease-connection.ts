// The leases of a process over PostgreSQL: holders are rows, messages and confirmations are notifications. The connection is
// direct, because LISTEN and a lease belong to one session.
import type { Client } from "pg";
import type { Database } from "@plinth/db/connection";

import { openLastingConnection } from "../lasting-connection.ts";
import { createConfirm } from "./confirmations.ts";
import { createLeases, type LeaseHost, type Leases } from "./leases.ts";
import { processClock, protocolVersion, times, type Holder, type Link, type Message } from "./protocol.ts";

const channel = "plinth_lease";
/** A statement that takes longer ends the connection, and with it the lease, in ms. */
const timeoutMs = 2000;
/** Between attempts to connect, in ms: short, because the writes of the process wait for it. */
const longestRetryMs = 1000;

export interface OpenLeases<Row> extends Leases<Row> {
  /** Ends the lease: the process answers from memory no more, and no write waits for it. */
  close(): Promise<void>;
}

interface LeaseConnectionOptions {
  readonly databaseUrl: string;
  /** Asks for holders while the connection is lost. */
  readonly db: Pick<Database, "run">;
  /** Whether the process answers from memory, or only writes. */
  readonly holds: boolean;
  /** Called when the connection is lost; it is opened again. */
  readonly onError: (error: unknown) => void;
}

/** Opens the leases of a process, and keeps their connection for as long as it runs. */
export function openLeases<Row>({ databaseUrl, db, holds, onError }: LeaseConnectionOptions): OpenLeases<Row> {
  let isClosing = false;
  const leases = createLeases<Row>({
    clock: processClock,
    holds,
    holders: (except) => db.run<Holder>(otherHolders, [JSON.stringify(except)]),
    onError: (error) => isClosing || onError(error),
  });
  let mine: PostgresLink | null = null;
  const connection = openLastingConnection({
    databaseUrl,
    applicationName: "plinth-leases",
    timeoutMs,
    longestRetryMs,
    onError: (error) => isClosing || onError(error),
    async use(client, lost, lose) {
      const link = linkOf(client);
      mine = link;
      lost.catch(() => leases.lost(link));
      await listen(client, link, leases);
      leases.hold(link).catch(lose);
    },
  });
  return {
    memory: leases.memory,
    tell: (artifactIds) => leases.tell(artifactIds),
    async close() {
      isClosing = true;
      if (mine !== null) {
        leases.lost(mine);
        await mine.leave().catch(() => undefined);
      }
      await connection.close();
    },
  };
}

const columns = `holder AS id, protocol, waits_ms AS "waitsMs"`;

/** Prepared once for each connection: every write and every renewal sends them. */
const statements = {
  isRegistered: "SELECT FROM lease_holder WHERE holder = $1 AND NOT ended",
  // PostgreSQL sends a message once, however many rows there are, and none where there is no row.
  announce: `SELECT ${columns}, pg_notify($1, $2) FROM lease_holder WHERE holder <> $3`,
  confirm: `SELECT pg_notify(channel, payload) FROM json_to_recordset($1::text::json) AS r(channel text, payload text)`,
} as const;

const otherHolders = `SELECT ${columns} FROM lease_holder
WHERE holder <> ALL (SELECT json_array_elements_text($1::text::json)::uuid)`;

interface PostgresLink extends Link {
  /** Removes the holder, which must have forgotten everything before. */
  leave(): Promise<void>;
}

/** The channel on which a writer receives confirmations. */
const channelOf = (writer: string): string => `${channel}_${writer.replaceAll("-", "")}`;

function linkOf(client: Client): PostgresLink {
  const id = Bun.randomUUIDv7();
  const prepared = <Row extends object>(name: keyof typeof statements, values: readonly unknown[]) =>
    client.query<Row>({ name: `lease-${name}`, text: statements[name], values: [...values] });
  const run = async (statement: string, parameters: readonly unknown[]) => {
    await client.query(statement, [...parameters]);
  };
  return {
    id,
    async register(earlier) {
      // A crash of the database must not lose the row while the process still answers from memory.
      await client.query("SET synchronous_commit TO on");
      await run("DELETE FROM lease_holder WHERE holder = ANY ($1::uuid[])", [earlier]);
      await run("INSERT INTO lease_holder (holder, protocol, waits_ms) VALUES ($1, $2, $3)", [
        id,
        protocolVersion,
        times.waits,
      ]);
      await client.query("SET synchronous_commit TO off");
    },
    async isRegistered() {
      const { rows } = await prepared("isRegistered", [id]);
      return rows.length === 1;
    },
    async announce({ number, artifactIds }) {
      const payload = JSON.stringify({ protocol: protocolVersion, writer: id, number, artifactIds } satisfies Sent);
      const { rows } = await prepared<Holder>("announce", [channel, payload, id]);
      return rows;
    },
    confirm: createConfirm(async (together) => {
      const notes = together.map(({ writer, number }) => ({ channel: channelOf(writer), payload: `${number} ${id}` }));
      await prepared("confirm", [JSON.stringify(notes)]);
    }),
    refuseRenewal: (ids) => run("UPDATE lease_holder SET ended = true WHERE holder = ANY ($1::uuid[])", [ids]),
    remove: (ids) => run("DELETE FROM lease_holder WHERE holder = ANY ($1::uuid[]) AND ended", [ids]),
    leave: () => run("DELETE FROM lease_holder WHERE holder = $1", [id]),
  };
}

interface Sent extends Message {
  readonly protocol: number;
  readonly writer: string;
}

/** Listens before the holder is registered, so that no message is missed. */
async function listen(client: Client, link: Link, leases: LeaseHost): Promise<void> {
  await client.query("SET synchronous_commit TO off");
  const confirmations = channelOf(link.id);
  client.on("notification", ({ channel: name, payload = "" }) => {
    if (name === confirmations) {
      const [number, holder = ""] = payload.split(" ");
      leases.confirmed(Number(number), holder);
      return;
    }
    const { protocol, writer, ...message } = JSON.parse(payload) as Sent;
    if (writer === link.id) return;
    // A message of another version says that something changed, and not what.
    leases.changed(link, writer, protocol === protocolVersion ? message : { ...message, artifactIds: null });
  });
  await client.query(`LISTEN ${channel}`);
  await client.query(`LISTEN ${confirmations}`);
}
