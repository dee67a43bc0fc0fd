// Request bytes for the attackers of the stress test `bystander`: built once, and copied for each request with another
// number in them.

/** Stands for the number of the request, always as many digits long, so that the length of the body stays the same. */
export const requestNumber = "%NUMBER%";
/** Stands for the version that the previous answer on the same connection created. */
export const createdVersion = "%VERSION%";

const digits = (n: number): string => String(n).padStart(requestNumber.length, "0");

export interface RequestParts {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its first kilobyte may contain `requestNumber`. */
  readonly body?: Uint8Array;
}

/** The part of a body in which the number of the request is replaced; the rest is never looked at. */
const numberedBytes = 1024;

/** Builds the n-th request; only the head and the first kilobyte are text, so a body of megabytes costs one copy. */
export function requestBytes({ method, path, headers, body }: RequestParts, n: number, version: number): Buffer {
  const lines = [
    `${method} ${path.replace(createdVersion, String(version))} HTTP/1.1`,
    ...Object.entries({ host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  if (body === undefined) return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  lines.push("content-type: application/json", `content-length: ${body.length}`);
  const begin = Buffer.from(body.subarray(0, numberedBytes)).toString("latin1").replaceAll(requestNumber, digits(n));
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
  return Buffer.concat([head, Buffer.from(begin, "latin1"), body.subarray(numberedBytes)]);
}

/** What the largest instance-wide body limit lets through: 2 MiB of content in the longest JSON escapes. */
const largestBody = 12_000_000;

/** One JSON string of 12 MB. */
export const oneString = (): Buffer => Buffer.from(`{"title":"${"a".repeat(largestBody)}"}`);

/** Six million arrays within each other. */
export const deepArrays = (): Buffer =>
  Buffer.from("[".repeat(largestBody / 2) + "]".repeat(largestBody / 2), "latin1");

/** An object of 800,000 keys. */
export const manyKeys = (): Buffer =>
  Buffer.from(`{${Array.from({ length: 800_000 }, (_, n) => `"k${n}":1`).join(",")}}`);

/** A call of an MCP tool whose arguments are six million arrays within each other. */
export const deepToolCall = (): Buffer => {
  const half = largestBody / 2 - 200;
  const before = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_artifact","arguments":';
  return Buffer.from(`${before}${"[".repeat(half)}${"]".repeat(half)}}}`, "latin1");
};

/** A new version; `content` may contain `requestNumber` near its beginning. */
export const newVersion = (content: string): Buffer => Buffer.from(JSON.stringify({ content }));

/** A new version of 2 MiB, every character in the longest escape that JSON has: 12 MB to send and to parse. */
export const escapedVersion = (): Buffer =>
  Buffer.from(`{"content":"${requestNumber}${"\\u0061".repeat(1_990_000)}"}`, "latin1");
