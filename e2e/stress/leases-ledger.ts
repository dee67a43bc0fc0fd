// A ledger of the writes of one artifact and the times of their answers, which checks reads against them.
/** What anyone sees: a text, or nothing. */
export type Shown = string | null;

interface Change {
  readonly shown: Shown;
  readonly sentAt: number;
  answeredAt: number;
}

export class LeaseLedger {
  private readonly changes: Change[];

  constructor(shown: Shown, at: number) {
    this.changes = [{ shown, sentAt: at, answeredAt: at }];
  }

  /** A write is about to be sent; returns what to call when it is answered. */
  begin(shown: Shown): () => void {
    const change = { shown, sentAt: performance.now(), answeredAt: Infinity };
    this.changes.push(change);
    return () => void (change.answeredAt = performance.now());
  }

  /** Why the read is wrong: it must give what the last write made that was answered before it began, or what a later one made. */
  faultOf(shown: Shown, beganAt: number, endedAt: number): string | null {
    const last = this.changes.findLastIndex(({ answeredAt }) => answeredAt < beganAt);
    const possible = this.changes.slice(Math.max(0, last)).filter(({ sentAt }) => sentAt <= endedAt);
    if (possible.some((change) => change.shown === shown)) return null;
    const since = Math.round(beganAt - (this.changes[last]?.answeredAt ?? 0));
    return `a read that began ${since} ms after the answer gave ${shown}, not ${possible.map((one) => one.shown).join(" or ")}`;
  }
}
