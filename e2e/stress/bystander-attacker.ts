// The attackers of the stress test `bystander`, one process: they send the attack's requests until standard input ends,
// then print the instance's answers. Where times are measured the stress test starts it with `nice -n 19`, so that on a
// machine of two cores the server is not slow merely because its attackers compute.
import { attacks, type Manner, type Target } from "./bystander-attacks.ts";
import { requestBytes } from "./bystander-bodies.ts";
import { ConnectionClosed, Wire } from "./wire.ts";

export interface AttackJob {
  readonly attack: string;
  readonly port: number;
  readonly target: Target;
}

export interface AttackOutcome {
  /** Answers by status; `closed` where the instance ended the connection without one. */
  readonly answers: Readonly<Record<string, number>>;
}

/** Before a connection that the instance closed or refused is opened again. */
const reopenMs = 100;
/** A body that trickles grows by so many bytes at each interval. */
const trickle = { bytes: 1024, everyMs: 250 } as const;
/** The server closes a connection that has sent less than 16 KB a second for so long (server/open-port.ts). */
const idleMs = 60_000;
/** A client that is over its limit asks again; to ask without a pause would measure refusals alone. */
const refusedMs = 20;

const lines = console[Symbol.asyncIterator]();
const job = JSON.parse(String((await lines.next()).value)) as AttackJob;
const attack = attacks.find(({ name }) => name === job.attack);
if (attack === undefined) throw new Error(`there is no attack ${job.attack}`);
const { connections, manner } = attack;
const requests = attack.requests(job.target);
/**
 * What connections that stay open send, built once: a copy of a large body for each of them would keep this process
 * from sending for so long that the server closes its connections as silent.
 */
const heldBytes = manner === "exchange" ? [] : requests.map((parts) => requestBytes(parts, 0, 1));

const answers: Record<string, number> = {};
/** The attack has begun when the instance has answered once, or, where it must not answer yet, has all connections. */
const begun = Promise.withResolvers<void>();
const count = (answer: number | "closed") => {
  answers[answer] = (answers[answer] ?? 0) + 1;
  begun.resolve();
};
let sent = 0;
let opened = 0;

const connect: Readonly<Record<Manner, (connection: number) => Promise<void>>> = {
  exchange: exchangeForever,
  hold: (connection) => keepOpen(connection, 0),
  trickle: (connection) => keepOpen(connection, trickle.bytes),
};
for (let n = 0; n < connections; n++) void connect[manner](n);
void begun.promise.then(() => process.stdout.write("\n"));

await lines.next();
const outcome: AttackOutcome = { answers };
process.stdout.write(JSON.stringify(outcome));
process.exit(0);

function inTurn<Item>(items: readonly Item[], place: number): Item {
  const item = items[place % items.length];
  if (item === undefined) throw new Error("the attack has no request");
  return item;
}

/** One request after the other on one connection. */
async function exchangeForever(connection: number): Promise<void> {
  const wire = new Wire(job.port);
  let version = 1;
  for (let place = 2 * connection; ; place++) {
    const parts = inTurn(requests, place);
    try {
      const { status, text } = await wire.exchange(requestBytes(parts, sent++, version), parts.method);
      count(status);
      if (status === 201) version = (JSON.parse(text) as { versionNumber?: number }).versionNumber ?? version;
      if (status === 429) await Bun.sleep(refusedMs);
    } catch (error) {
      if (!(error instanceof ConnectionClosed)) throw error;
      count("closed");
      await Bun.sleep(reopenMs);
    }
  }
}

/** One connection that stays open: it sends the request whole, or its body in pieces of so many bytes. */
async function keepOpen(connection: number, pieceBytes: number): Promise<void> {
  for (;;) {
    const bytes = inTurn(heldBytes, connection);
    const closed = Promise.withResolvers<void>();
    let answered = false;
    let at = pieceBytes === 0 ? bytes.length : pieceBytes;
    const openedAt = performance.now();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: job.port,
      socket: {
        data(open, chunk) {
          if (answered) return;
          answered = true;
          const status = Number(chunk.toString("latin1", 9, 12));
          count(status);
          if (status !== 200) open.end();
        },
        close: () => closed.resolve(),
        error: () => closed.resolve(),
      },
    }).catch(() => null);
    if (socket === null) {
      count("closed");
    } else {
      socket.write(bytes.subarray(0, at));
      opened++;
      if (pieceBytes > 0 && opened === connections) begun.resolve();
      const timer = setInterval(() => {
        if (at >= bytes.length) return;
        at += Math.max(0, socket.write(bytes.subarray(at, at + pieceBytes)));
      }, trickle.everyMs);
      await closed.promise;
      clearInterval(timer);
      if (!answered && performance.now() - openedAt < idleMs) count("closed");
    }
    await Bun.sleep(reopenMs);
  }
}
