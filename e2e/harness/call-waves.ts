// A proxy before the API that holds what a page asks for until the page asks for nothing more, and lets it all go at once:
// so it counts how many round trips deep a page goes, whatever the machine's pace.

export interface Waves {
  /** Of each wave, what was asked for: method and path. */
  readonly waves: readonly (readonly string[])[];
}

export interface WaveProxy {
  readonly origin: string;
  /** Does `work`, and says what was asked of the API meanwhile. */
  watch(work: () => Promise<unknown>): Promise<Waves>;
  stop(): Promise<void>;
}

/** After so long without another call, in ms, a page waits for what it has asked. What is asked at once comes within a few. */
const quietMs = 150;

/** Passes on to the API at `origin`; what nobody watches goes through at once. */
export function startWaveProxy(origin: string): WaveProxy {
  let watched: string[][] | null = null;
  let held: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = () => {
    const going = held;
    held = [];
    watched?.push([]);
    for (const go of going) go();
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (watched !== null) {
        watched.at(-1)?.push(`${request.method} ${pathname}`);
        clearTimeout(timer);
        timer = setTimeout(release, quietMs);
        await new Promise<void>((go) => held.push(go));
      }
      const { method, headers } = request;
      const body = method === "GET" ? {} : { body: await request.arrayBuffer() };
      return fetch(origin + pathname + search, { method, headers, redirect: "manual", decompress: false, ...body });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    async watch(work) {
      const waves: string[][] = [[]];
      watched = waves;
      try {
        await work();
      } finally {
        watched = null;
      }
      return { waves: waves.filter((wave) => wave.length > 0) };
    },
    stop: () => server.stop(true),
  };
}

/** A machine with much to do may come between two calls that are made at once; a page that waits for one does so each time. */
const tries = 6;

export interface PageWaves extends Waves {
  readonly status: number;
}

/** What a page at `origin` asks of the API behind the proxy, by as few waves as it was seen to. */
export async function fewestWaves(
  proxy: WaveProxy,
  origin: string,
  path: string,
  cookie: string | undefined,
): Promise<PageWaves> {
  let fewest: PageWaves | undefined;
  for (let left = tries; left > 0; left--) {
    let status = 0;
    const { waves } = await proxy.watch(async () => {
      const answer = await fetch(origin + path, {
        redirect: "manual",
        headers: { accept: "text/html", ...(cookie === undefined ? {} : { cookie }) },
      });
      await answer.text();
      ({ status } = answer);
    });
    if (fewest === undefined || waves.length < fewest.waves.length) fewest = { waves, status };
    if (fewest.waves.length <= 1) break;
  }
  return fewest ?? { waves: [], status: 0 };
}
