// Reads of an API in another process. The artifact of a page without a visitor's credential is asked for with a condition on the
// last answer, so that the API decides about each request and sends nothing again. No kept answer is given without asking it.
import { createClient, ProblemError, type Read } from "@plinth/contract/client";
import type { Input, OperationName, Output } from "@plinth/contract/registry";
import { createCache } from "@plinth/platform/caches";

import { showsNothing } from "./ready-pages.ts";

type Api = (request: Request) => Promise<Response>;
type Shown = Output<"artifact.getByPath">;

interface Kept {
  readonly etag: string;
  readonly value: Shown;
  readonly size: number;
}

/** Creates the reads; `publicUrl` is the origin that the API answers to. */
export function createRemoteRead(api: Api, publicUrl: string): Read {
  const client = createClient({ baseUrl: publicUrl, fetch: api });
  const kept = createCache<Kept>("remoteReads", { sizeCalculation: ({ size }) => size });

  async function readShown(input: Input<"artifact.getByPath">, headers: Headers): Promise<Shown> {
    const name = JSON.stringify(input);
    const last = kept.get(name);
    const own = new Headers(headers);
    own.delete("cookie");
    if (last !== undefined) own.set("if-none-match", last.etag);
    const response = await client.send("artifact.getByPath", input, { headers: Object.fromEntries(own) });
    if (response.status === 304 && last !== undefined) return last.value;
    const text = await response.text();
    const value = JSON.parse(text) as Shown;
    const etag = response.headers.get("etag");
    if (etag !== null) kept.set(name, { etag, value, size: 2 * (name.length + 2 * text.length) });
    return value;
  }

  return async <Name extends OperationName>(name: Name, input: Input<Name>, headers: Headers) => {
    try {
      if (name !== "artifact.getByPath" || !showsNothing(headers))
        return { value: await client.call(name, input, { headers: Object.fromEntries(headers) }) };
      const value = await readShown(input as Input<"artifact.getByPath">, headers);
      return { value: value as Output<Name> };
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return { problem: error.problem, retryAfterSeconds: error.retryAfterSeconds };
    }
  };
}
