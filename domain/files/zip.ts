// Reads a zip that came from outside: its list of entries, and one entry at a time. What it says of itself is not believed:
// names, places and sizes are checked, and nothing is inflated beyond the size that its list declares.
import { promisify } from "node:util";
import { crc32, inflateRaw } from "node:zlib";

/** Why a zip, or one of its entries, cannot be read; to follow its name. */
export class ZipFault extends Error {}

export interface ZipEntry {
  /** With `/`, in Unicode's normal form C. */
  readonly name: string;
  /** Of the unpacked bytes, as the list declares it. */
  readonly sizeBytes: number;
  readonly isFolder: boolean;
  /** A link, or another thing that is neither file nor folder. */
  readonly isSpecial: boolean;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  /** The place of its header. */
  readonly at: number;
}

/** Entries of one zip; folders count. */
export const entriesMax = 10_000;

const end = { signature: 0x06054b50, bytes: 22, commentMax: 0xffff } as const;
const listed = { signature: 0x02014b50, bytes: 46 } as const;
const local = { signature: 0x04034b50, bytes: 30 } as const;
/** In their place a zip64 has its sizes elsewhere; one that is small enough to be taken needs none. */
const elsewhere = { short: 0xffff, long: 0xffffffff } as const;
const methods = { stored: 0, deflated: 8 } as const;
const fileKind = { mask: 0o170000, file: 0o100000, folder: 0o040000 } as const;

/** The entries in the order of the list. @throws ZipFault */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = viewOf(bytes);
  const tail = endOf(view);
  const count = view.getUint16(tail + 10, true);
  let at = view.getUint32(tail + 16, true);
  if (count === elsewhere.short || at === elsewhere.long) throw new ZipFault("is a zip64");
  if (count > entriesMax) throw new ZipFault(`has more than ${entriesMax} entries`);
  const entries: ZipEntry[] = [];
  for (let n = 0; n < count; n++) {
    if (at + listed.bytes > tail || view.getUint32(at, true) !== listed.signature) throw new ZipFault(broken);
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    const next = at + listed.bytes + nameBytes + extraBytes + commentBytes;
    if (next > tail) throw new ZipFault(broken);
    entries.push(entryAt(view, at, bytes.subarray(at + listed.bytes, at + listed.bytes + nameBytes)));
    at = next;
  }
  return entries;
}

/** The unpacked bytes, inflated off the event loop and never beyond the declared size. @throws ZipFault */
export async function zipEntryBytes(bytes: Uint8Array, entry: ZipEntry): Promise<Uint8Array<ArrayBuffer>> {
  const view = viewOf(bytes);
  const { at, method, packedBytes, sizeBytes } = entry;
  if (at + local.bytes > bytes.length || view.getUint32(at, true) !== local.signature) throw faultOf(entry);
  const from = at + local.bytes + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  if (from + packedBytes > bytes.length) throw faultOf(entry);
  const packed = bytes.subarray(from, from + packedBytes);
  const unpacked =
    method === methods.stored ? new Uint8Array(packed) : await inflated(packed, sizeBytes).catch(() => null);
  if (unpacked?.length !== sizeBytes || crc32(unpacked) !== entry.crc) throw faultOf(entry);
  return unpacked;
}

/** Whether its bytes can be read at all; the reason, to follow its name, else null. */
export const entryProblem = ({ isEncrypted, isSpecial, method }: ZipEntry): string | null =>
  isSpecial
    ? "it is no regular file"
    : isEncrypted
      ? "it is encrypted"
      : method === methods.stored || method === methods.deflated
        ? null
        : "it is compressed in another way than deflate";

const broken = "is no complete zip";
const faultOf = ({ name }: ZipEntry) => new ZipFault(`has an entry that cannot be unpacked: ${name}`);
const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** One byte more than declared ends it. */
async function inflated(packed: Uint8Array, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await inflate(packed, { maxOutputLength: Math.max(1, sizeBytes) }));
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

/** The place of the record that ends a zip, before a comment. */
function endOf(view: DataView): number {
  const last = view.byteLength - end.bytes;
  for (let at = last; at >= 0 && at >= last - end.commentMax; at--)
    if (view.getUint32(at, true) === end.signature && at + end.bytes + view.getUint16(at + 20, true) <= view.byteLength)
      return at;
  throw new ZipFault("is no zip");
}

function entryAt(view: DataView, at: number, nameBytes: Uint8Array): ZipEntry {
  const [packedBytes, sizeBytes] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  const place = view.getUint32(at + 42, true);
  if ([packedBytes, sizeBytes, place].includes(elsewhere.long)) throw new ZipFault("is a zip64");
  const name = nameOf(nameBytes);
  // The upper half is what Unix says of the file, where the zip was made there.
  const kind = (view.getUint32(at + 38, true) >>> 16) & fileKind.mask;
  const isFolder = name.endsWith("/") || kind === fileKind.folder;
  return {
    name,
    sizeBytes,
    isFolder,
    isSpecial: !isFolder && kind !== 0 && kind !== fileKind.file,
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes,
    at: place,
  };
}

/** Most writers of today write UTF-8, also those that do not say so; older ones of Windows write backslashes. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\\", "/").normalize("NFC");
  } catch {
    throw new ZipFault("has a name that is not UTF-8");
  }
}
