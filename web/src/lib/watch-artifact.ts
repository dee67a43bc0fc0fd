// Listens for an artifact's versions, and for the end of the reader's access, for as long as the page is visible:
// a browser keeps six connections to a site, and a hidden page needs none.
import type { Artifact } from "@plinth/contract/schemas/artifact";

export type Ending = "lost" | "deleted";

export interface Watcher {
  /** Called with the number of the latest version, whenever it is known. */
  latest(version: number): void;
  /** Whether events arrive at once. */
  live(isLive: boolean): void;
  ended(how: Ending): void;
}

/** Between tries where the server takes no stream at the moment, in ms. */
const retryMs = 10_000;

/** Watches while the page is visible; returns how to stop. */
export function watchArtifact(artifactId: string, watcher: Watcher): () => void {
  const address = `/api/artifacts/${artifactId}`;
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  function close() {
    clearTimeout(retry);
    source?.close();
    source = undefined;
    watcher.live(false);
  }

  function end(how: Ending) {
    stop();
    watcher.ended(how);
  }

  /** What no stream tells: what happened before it began, and why there is none. */
  async function look() {
    const answer = await fetch(address).catch(() => undefined);
    if (stopped) return;
    if (answer?.status === 404) end("lost");
    else if (answer?.ok) watcher.latest(((await answer.json()) as Artifact).latestVersion);
  }

  function open() {
    if (stopped || document.hidden) return;
    const mine = new EventSource(`${address}/events`);
    source = mine;
    const listen = (name: string, onData: (data: Record<string, unknown>) => void) =>
      mine.addEventListener(name, ({ data }: MessageEvent<string>) =>
        onData(JSON.parse(data) as Record<string, unknown>),
      );
    listen("version", ({ versionNumber }) => watcher.latest(Number(versionNumber)));
    listen("access", ({ canView }) => canView === false && end("lost"));
    listen("deleted", () => end("deleted"));
    mine.addEventListener("open", () => {
      watcher.live(true);
      void look();
    });
    mine.addEventListener("error", () => {
      watcher.live(false);
      // The browser tries again by itself, but where it was refused.
      if (mine.readyState !== EventSource.CLOSED || stopped) return;
      void look();
      retry = setTimeout(open, retryMs * (1 + Math.random() / 2));
    });
  }

  function changed() {
    close();
    open();
  }

  function stop() {
    stopped = true;
    document.removeEventListener("visibilitychange", changed);
    close();
  }

  document.addEventListener("visibilitychange", changed);
  open();
  return stop;
}
