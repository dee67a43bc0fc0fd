// When credentials and sessions were last used (contract 3), without a write for each request: noted in memory, and
// written down for all of them by one statement, at most once a minute. What is noted when a process dies is lost.
import { decodeId, type IdPrefix } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";

const everyMs = 60_000;
/** Credentials noted at once; more are let go until the next flush, so that memory is bounded. */
const notedAtMost = 50_000;

export interface Usage {
  /** Notes that the credential or the session was used now. */
  note(credentialId: string): void;
  /** Writes down what was noted, in one statement; none where nothing was. Keeps it where that fails. */
  flush(): Promise<void>;
}

/** Locked in the order of making, as wherever several are (revoke.ts). */
const flushStatement = `
  WITH used AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::text::json) AS u(credential uuid, session uuid, at timestamptz)
  ), credentials AS MATERIALIZED (
    SELECT c.credential_id, least(u.at, now()) AS at FROM used u JOIN credential c ON c.credential_id = u.credential
    ORDER BY c.credential_id FOR NO KEY UPDATE OF c
  ), sessions AS MATERIALIZED (
    SELECT s.id, least(u.at, now()) AS at FROM used u JOIN session s ON s.id = u.session
    ORDER BY s.id FOR NO KEY UPDATE OF s
  ), by_credential AS (
    UPDATE credential c SET last_used_at = greatest(c.last_used_at, u.at)
    FROM credentials u WHERE c.credential_id = u.credential_id
  )
  UPDATE session s SET updated_at = greatest(s.updated_at, u.at) FROM sessions u WHERE s.id = u.id`;

export function createUsage(db: Database): Usage {
  let noted = new Map<string, number>();

  function keep(credentialId: string, at: number): void {
    const known = noted.get(credentialId);
    if (known === undefined ? noted.size < notedAtMost : known < at) noted.set(credentialId, at);
  }

  return {
    note: (credentialId) => keep(credentialId, Date.now()),
    async flush() {
      if (noted.size === 0) return;
      const written = noted;
      noted = new Map();
      try {
        await db.run(flushStatement, [JSON.stringify([...written].map(rowOf))]);
      } catch (error) {
        for (const [credentialId, at] of written) keep(credentialId, at);
        throw error;
      }
    },
  };
}

function rowOf([credentialId, time]: [string, number]): object {
  const at = new Date(time).toISOString();
  const prefix = credentialId.slice(0, 3) as IdPrefix;
  const uuid = decodeId(prefix, credentialId);
  return prefix === "ses" ? { session: uuid, at } : { credential: uuid, at };
}

/** Flushes now and then until it is stopped, and then once more. A failure is told, and tried again at the next turn. */
export function flushRegularly(usage: Usage, onError: (error: unknown) => void): { stop(): Promise<void> } {
  const flush = () => usage.flush().catch(onError);
  const timer = setInterval(() => void flush(), everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
