// A CacheStorage that lasts as long as its page: answers by the address and the method of their requests. What a document puts
// there it has fetched by itself, within its policy.

type Options = Pick<CacheQueryOptions, "ignoreMethod" | "ignoreSearch">;

interface Entry {
  readonly request: Request;
  readonly response: Response;
}

function matches(wanted: Request, { request }: Entry, { ignoreMethod, ignoreSearch }: Options): boolean {
  if (ignoreMethod !== true && wanted.method !== "GET") return false;
  const [one, other] = [new URL(wanted.url), new URL(request.url)];
  one.hash = other.hash = "";
  if (ignoreSearch === true) one.search = other.search = "";
  return one.href === other.href;
}

class MemoryCache {
  #entries: Entry[] = [];

  async match(wanted: RequestInfo | URL, options: Options = {}): Promise<Response | undefined> {
    return (await this.matchAll(wanted, options))[0];
  }

  async matchAll(wanted?: RequestInfo | URL, options: Options = {}): Promise<readonly Response[]> {
    return this.#found(wanted, options).map(({ response }) => response.clone());
  }

  async keys(wanted?: RequestInfo | URL, options: Options = {}): Promise<readonly Request[]> {
    return this.#found(wanted, options).map(({ request }) => request);
  }

  async put(key: RequestInfo | URL, response: Response): Promise<void> {
    const request = new Request(key);
    if (request.method !== "GET") throw new TypeError(`Request method '${request.method}' is unsupported`);
    // Read whole, so that it can be read again as often as it is asked for.
    const { status, statusText, headers } = response;
    const body = /^(?:101|204|205|304)$/.test(String(status)) ? null : await response.arrayBuffer();
    const kept = new Response(body, { status, statusText, headers });
    this.#entries = [...this.#entries.filter((entry) => !matches(request, entry, {})), { request, response: kept }];
  }

  async add(key: RequestInfo | URL): Promise<void> {
    await this.addAll([key]);
  }

  async addAll(keys: readonly (RequestInfo | URL)[]): Promise<void> {
    const requests = keys.map((key) => new Request(key));
    const responses = await Promise.all(requests.map((request) => fetch(request.clone())));
    if (responses.some(({ ok }) => !ok)) throw new TypeError("Request failed");
    for (const [index, request] of requests.entries()) {
      const response = responses[index];
      if (response !== undefined) await this.put(request, response);
    }
  }

  async delete(wanted: RequestInfo | URL, options: Options = {}): Promise<boolean> {
    const found = new Set(this.#found(wanted, options));
    this.#entries = this.#entries.filter((entry) => !found.has(entry));
    return found.size > 0;
  }

  #found(wanted: RequestInfo | URL | undefined, options: Options): Entry[] {
    if (wanted === undefined) return this.#entries;
    const request = new Request(wanted);
    return this.#entries.filter((entry) => matches(request, entry, options));
  }
}

export class MemoryCaches {
  readonly #caches = new Map<string, MemoryCache>();

  async open(name: string): Promise<MemoryCache> {
    const cache = this.#caches.get(name) ?? new MemoryCache();
    this.#caches.set(name, cache);
    return cache;
  }

  async has(name: string): Promise<boolean> {
    return this.#caches.has(name);
  }

  async delete(name: string): Promise<boolean> {
    return this.#caches.delete(name);
  }

  async keys(): Promise<string[]> {
    return [...this.#caches.keys()];
  }

  async match(wanted: RequestInfo | URL, options: Options & { readonly cacheName?: string } = {}) {
    const { cacheName } = options;
    for (const [name, cache] of this.#caches) {
      const found = cacheName === undefined || cacheName === name ? await cache.match(wanted, options) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
