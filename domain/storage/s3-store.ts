// Objects in an S3-compatible bucket, through Bun's client. Knows nothing of contents; each request has a deadline, and its
// errors have no text of the server's, which may name keys.
import type { ListedObject, ObjectStore } from "@plinth/db/object-store";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { offMainThread } from "@plinth/platform/main-thread";
import { withTimeout } from "@plinth/platform/with-timeout";

import type { ObjectStoreSettings } from "../config.ts";
import { ObjectTrouble, storeUnavailable } from "./object-trouble.ts";

type ObjectAction = "get" | "put" | "remove" | "list";

/** What became of a request; `trouble` is null where the store did what it was asked, also where there is no such object. */
export interface ObjectRequest {
  readonly action: ObjectAction;
  readonly trouble: ObjectTrouble | null;
}

interface S3StoreOptions {
  /** Called after each request. */
  readonly onRequest?: (request: ObjectRequest) => void;
  /** The longest wait for one request with its turn, in ms; a put, which no reader waits for, has eight times as long. */
  readonly deadlineMs?: number;
}

/** Requests at the same time, in total and of one action, so that readers do not wait for a sweep. */
const [atOnce, ofOneAction] = [40, 16];
const putTimes = 8;
/** The most that an object may have, in bytes: the largest file, and what zstd adds where it can't compress. */
const objectBytes = 24 * 1024 * 1024;
const listedAtOnce = 1000;

export function createS3Store(
  settings: ObjectStoreSettings,
  { onRequest = () => undefined, deadlineMs = 8000 }: S3StoreOptions = {},
): ObjectStore {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken, isReadOnly } = settings;
  const client = new Bun.S3Client({
    bucket,
    region,
    accessKeyId,
    secretAccessKey,
    ...(endpoint !== null && { endpoint }),
    ...(sessionToken !== null && { sessionToken }),
  });
  const turns = createKeyedSemaphore({ atOnce, ofOneCaller: ofOneAction });
  const keyOf = (name: string): string => `${prefix}${name}`;

  async function request<Result>(action: ObjectAction, work: () => Promise<Result>): Promise<Result> {
    const ms = action === "put" ? deadlineMs * putTimes : deadlineMs;
    try {
      // A request that is late leaves its turn: Bun ends it by itself when its connection was silent for five minutes.
      const inTime = () => withTimeout(ms, work(), late);
      const result = await offMainThread(withTimeout(ms, turns(action, inTime), late));
      onRequest({ action, trouble: null });
      return result;
    } catch (error) {
      const trouble = error instanceof ObjectTrouble ? error : new ObjectTrouble(codeOf(error));
      onRequest({ action, trouble });
      throw storeUnavailable(trouble);
    }
  }

  return {
    takesNew: !isReadOnly,
    get: (name) =>
      request("get", async () => {
        try {
          // A range, because the whole of another's object could be larger than the memory.
          return await client.file(keyOf(name)).slice(0, objectBytes).bytes();
        } catch (error) {
          if (codeOf(error) === "NoSuchKey") return null;
          // An empty object has no range.
          if (codeOf(error) === "InvalidRange") return new Uint8Array();
          throw error;
        }
      }),
    put: (name, data) => request("put", async () => void (await client.write(keyOf(name), data))),
    remove: (name) => request("remove", () => client.delete(keyOf(name))),
    list: (after) =>
      request("list", async () => {
        const startAfter = after === null ? {} : { startAfter: keyOf(after) };
        const { contents = [] } = await client.list({ prefix, maxKeys: listedAtOnce, ...startAfter });
        return contents.map(({ key, size = 0, lastModified = "" }): ListedObject => ({
          name: key.slice(prefix.length),
          sizeBytes: size,
          putAt: new Date(lastModified),
        }));
      }),
  };
}

const late = () => Promise.reject(new ObjectTrouble("timeout"));

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "unknown";
}
