// Reads what a command is given to send: a file or standard input, as text and as bytes. Standard input is
// read once. Sends nothing.
import { stat } from "node:fs/promises";
import { resolve } from "node:path";

import { contentBytes } from "@plinth/contract/limits";

import { readFileBounded, type BoundedBytes } from "../files/bounded-read.ts";
import { codeOf } from "../failure/system-error.ts";
import { clientFailure, Failure, ownFailure, usage } from "../failure/failure.ts";
import type { Io } from "./io.ts";

export interface Source {
  /** The path as given, or `-`. */
  readonly name: string;
  readonly content: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface Reader {
  /**
   * Reads a file, or standard input for `-`. The limit is the most content that any instance takes, unless another is
   * given. @throws Failure usage, input_needed, content_too_large
   */
  source(name: string, limitBytes?: number): Promise<Source>;
  /** Reads standard input as one line: a token. @throws Failure usage */
  line(): Promise<string>;
}

/** A reader that refuses a second read of standard input, which would get nothing. */
export function createReader({ stdin, directory }: Pick<Io, "stdin" | "directory">, noInput: boolean): Reader {
  let taken = false;
  async function standardInput(limitBytes: number): Promise<BoundedBytes> {
    if (taken)
      throw usage("Standard input is asked for twice", {
        hint: "Give one of them as a file, or the token as SERVICE_TOKEN",
      });
    taken = true;
    if (noInput && stdin.isTerminal) {
      throw ownFailure("input_needed", "Standard input is a terminal, and the command may not ask", {
        hint: "Pipe the text in, or name a file",
      });
    }
    return stdin.read(limitBytes);
  }
  return {
    async source(name, limitBytes = contentBytes.max) {
      const read = name === "-" ? standardInput(limitBytes) : fileBytes(name, directory, limitBytes);
      return sourceOf(name, requireWithinLimit(limitBytes, nameOf(name), await read));
    },
    async line() {
      const bytes = await standardInput(maxLineBytes);
      if ("tooLarge" in bytes) throw usage("Standard input is longer than a token");
      return decode("Standard input", bytes).trim();
    },
  };
}

/** Bytes; a token is shorter. */
const maxLineBytes = 64 * 1024;

const nameOf = (name: string): string => (name === "-" ? "Standard input" : name);

/** @throws Failure content_too_large */
export function requireWithinLimit(limitBytes: number, name: string, bytes: BoundedBytes): Uint8Array {
  if (!("tooLarge" in bytes)) return bytes;
  const limit = `${limitBytes.toLocaleString("en-US")} bytes`;
  const size = bytes.sizeBytes === null ? `more than ${limit}` : `${bytes.sizeBytes.toLocaleString("en-US")} bytes`;
  throw clientFailure("content_too_large", `${name} has ${size}; the limit is ${limit}`, {
    hint: "Nothing was sent. Split the document, or leave the file out",
  });
}

/** The text of these bytes with its size and hash. @throws Failure usage where it is not UTF-8 */
async function sourceOf(name: string, bytes: Uint8Array): Promise<Source> {
  const { digestOf } = await import("../files/digest.ts");
  return {
    name,
    ...digestOf(bytes),
    content: decode(nameOf(name), bytes),
  };
}

async function fileBytes(name: string, directory: string, limitBytes: number): Promise<BoundedBytes> {
  const path = resolve(directory, name);
  try {
    const found = await stat(path);
    // Such as /dev/zero, which a link may lead to; what a shell pipes in is none.
    if (found.isCharacterDevice() || found.isBlockDevice()) throw usage(`${name} is a device`);
    return await readFileBounded(path, limitBytes);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const why =
      { ENOENT: "does not exist", EISDIR: "is a directory", EACCES: "may not be read" }[codeOf(error) ?? ""] ??
      "cannot be read";
    throw usage(`${name} ${why}`, { cause: error });
  }
}

/** Keeps a byte order mark: the content is published byte for byte. */
function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw usage(`${name} is not UTF-8 text`, { cause: error });
  }
}
