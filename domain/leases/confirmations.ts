// Confirmations of one holder: those that come while some are being sent go together in the next statement. PostgreSQL wakes
// every listening connection for each transaction that notifies, so that many writers must not cause one for each message.

export interface Confirmation {
  readonly writer: string;
  readonly number: number;
}

/** Confirms a message; resolves when it is sent. */
export type Confirm = (writer: string, number: number) => Promise<void>;

/** `send` sends all of its confirmations in one statement. */
export function createConfirm(send: (together: readonly Confirmation[]) => Promise<void>): Confirm {
  let waiting: Confirmation[] = [];
  let next: Promise<void> | null = null;
  let sending: Promise<unknown> = Promise.resolve();
  return (writer, number) => {
    waiting.push({ writer, number });
    next ??= sending.then(() => {
      const together = waiting;
      waiting = [];
      next = null;
      const sent = send(together);
      sending = sent.catch(() => undefined);
      return sent;
    });
    return next;
  };
}
