// An object store with verified reads: the bytes of an object match the hash in its name. Concurrent readers of one
// object share a request, and recent reads are cached.
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";

import type { ObjectStore } from "@plinth/db/object-store";
import { unbound, waitFor } from "@plinth/db/waiting";
import { createCache } from "@plinth/platform/caches";

import { hashOfObject, isObjectName } from "./object-name.ts";

/** The largest content, in bytes: a few bytes of zstd can be gigabytes. */
const contentBytes = 24 * 1024 * 1024;

const decompress = promisify(zstdDecompress);

/** The object is there and has not the content that its name says. */
export class BrokenObject extends Error {
  override readonly name = "BrokenObject";
  constructor(object: string) {
    super(`The object ${object} does not have the content of its hash`);
  }
}

/** Whether these bytes, under zstd, are the content with that hash (hex). */
export async function isContentOf(sha256: string, data: Uint8Array): Promise<boolean> {
  const bytes = await decompress(data, { maxOutputLength: contentBytes }).catch(() => null);
  return bytes !== null && new Bun.CryptoHasher("sha256").update(bytes).digest("hex") === sha256;
}

/** The store with its reads verified, shared and kept. `get` throws BrokenObject too. */
export function verified(store: ObjectStore): ObjectStore {
  const recent = createCache<Uint8Array>("storedObjects", {
    sizeCalculation: ({ length }) => length + 256,
  });
  const underWay = new Map<string, Promise<Uint8Array | null>>();

  async function read(name: string): Promise<Uint8Array | null> {
    try {
      const data = await store.get(name);
      if (data === null) return null;
      if (!(await isContentOf(hashOfObject(name), data))) throw new BrokenObject(name);
      recent.set(name, data);
      return data;
    } finally {
      underWay.delete(name);
    }
  }

  return {
    ...store,
    get(name) {
      if (!isObjectName(name)) return store.get(name);
      const kept = recent.get(name);
      if (kept !== undefined) return Promise.resolve(kept);
      let reading = underWay.get(name);
      if (reading === undefined) underWay.set(name, (reading = unbound(() => read(name))));
      return waitFor(reading);
    },
    async remove(name) {
      recent.delete(name);
      await store.remove(name);
    },
  };
}
