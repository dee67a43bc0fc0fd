// A proxy in front of the API that holds a page's requests until the page sends no more, and then releases them
// together. It counts how many sequential round trips a page makes, independently of the machine's speed.

export interface Waves {
  /** The requests of each wave: method and path. */
  readonly waves: readonly (readonly string[])[];
}

export interface WaveProxy {
  readonly origin: string;
  /** Does `work` and returns the API requests made during it. */
  watch(work: () => Promise<unknown>): Promise<Waves>;
  stop(): Promise<void>;
}

/**
 * After this many ms without another request, a page waits for its answers. Simultaneous requests arrive within a few
 * ms.
 */
const quietMs = 150;

/** Forwards to the API at `origin`; requests outside `watch` pass at once. */
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

/** A busy machine can delay one of two simultaneous requests; a page that waits for one does so each time. */
const tries = 6;

export interface PageWaves extends Waves {
  readonly status: number;
}

/** The API requests of a page at `origin`, in the fewest waves of several tries. */
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
