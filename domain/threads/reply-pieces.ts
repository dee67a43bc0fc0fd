// Transfers a thread's reply to the server: a large one is compressed and sent in pieces, because one message of 8 MB
// stops the event loop that receives it for 0.1 s.
import { deserialize, serialize } from "bun:jsc";

import type { ReplyPiece, TaskReply } from "./tasks.ts";

const packedFrom = 64 * 1024;
const pieceBytes = 256 * 1024;

/** The messages of a reply, of which the last says so. */
export function* piecesOf(reply: TaskReply, residentBytes: number): Generator<ReplyPiece> {
  const plain = new Uint8Array(serialize(reply));
  const isPacked = plain.length >= packedFrom;
  const bytes = isPacked ? Bun.zstdCompressSync(plain, { level: 1 }) : plain;
  let at = 0;
  for (; bytes.length - at > pieceBytes; at += pieceBytes) yield { piece: bytes.slice(at, at + pieceBytes) };
  yield { piece: bytes.slice(at), last: { isPacked, residentBytes } };
}

/** The reply of all pieces, in their order. */
export async function replyOf(pieces: readonly Uint8Array[], isPacked: boolean): Promise<TaskReply> {
  const bytes = Buffer.concat(pieces);
  return deserialize(isPacked ? await Bun.zstdDecompress(bytes) : bytes) as TaskReply;
}
