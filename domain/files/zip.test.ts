import { describe, expect, test } from "bun:test";

import { zipOf, type ZipPart } from "@plinth/support/zip-of";
import { entriesMax, entryProblem, zipEntries, zipEntryBytes } from "./zip.ts";

const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function unpacked(zip: Uint8Array): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const entry of zipEntries(zip)) texts[entry.name] = textOf(await zipEntryBytes(zip, entry));
  return texts;
}

/** Why it is refused, when its list is read or one of its entries is. */
async function faultOf(zip: Uint8Array): Promise<string> {
  try {
    await unpacked(zip);
  } catch (error) {
    return (error as Error).message;
  }
  return "none";
}

test("stored and deflated entries, a comment at the end, and an empty zip", async () => {
  const long = "x".repeat(100_000);
  const zip = zipOf(
    [{ name: "a.txt", content: "stored", isStored: true }, { name: "b/c.txt", content: long }, { name: "e" }],
    {
      comment: "PK\u0005\u0006 made by a test",
    },
  );
  expect(await unpacked(zip)).toEqual({ "a.txt": "stored", "b/c.txt": long, e: "" });
  expect(zipEntries(zipOf([]))).toEqual([]);
});

test("names: UTF-8 without the flag, decomposed, with backslashes; folders and links are told apart", () => {
  const parts: ZipPart[] = [
    { name: "é.png".normalize("NFD"), flags: 0 },
    { name: "img\\a.png" },
    { name: "folder/" },
    { name: "link", content: "/etc/passwd", mode: 0o120777 },
  ];
  expect(zipEntries(zipOf(parts)).map(({ name, isFolder, isSpecial }) => [name, isFolder, isSpecial])).toEqual([
    ["é.png", false, false],
    ["img/a.png", false, false],
    ["folder/", true, false],
    ["link", false, true],
  ]);
});

test.each([
  [{ name: "a", mode: 0o120777 }, "it is no regular file"],
  [{ name: "a", flags: 1 }, "it is encrypted"],
  [{ name: "a", method: 12 }, "it is compressed in another way than deflate"],
  [{ name: "a" }, null],
])("of %j: %p", (part, problem) => {
  const [entry] = zipEntries(zipOf([part]));
  expect(entry && entryProblem(entry)).toBe(problem);
});

describe("a zip that lies", () => {
  const bomb = new Uint8Array(50_000_000);
  test.each([
    ["says less than it holds", { name: "bomb", content: bomb, sizeBytes: 10 }],
    ["says more than it holds", { name: "a", content: "short", sizeBytes: 1000 }],
    ["has another checksum", { name: "a", content: "text", crc: 1 }],
    ["holds no deflated data", { name: "a", content: "text", isStored: true, method: 8 }],
  ] as const)("%s: its entry is refused", async (_what, part) => {
    expect(await faultOf(zipOf([part]))).toBe(`has an entry that cannot be unpacked: ${part.name}`);
  });

  test("is cut off, has a list that leads out of it, or is none", async () => {
    const zip = zipOf([{ name: "a", content: "text" }]);
    expect(await faultOf(zip.subarray(0, zip.length - 10))).toBe("is no zip");
    expect(await faultOf(new TextEncoder().encode("<h1>Hello"))).toBe("is no zip");
    expect(await faultOf(new Uint8Array())).toBe("is no zip");
    const view = (change: (data: DataView, end: number) => void) => {
      const changed = zip.slice();
      change(new DataView(changed.buffer), changed.length - 22);
      return faultOf(changed);
    };
    expect(await view((data, end) => data.setUint32(end + 16, 0xfffffff0, true))).toBe("is no complete zip");
    expect(await view((data, end) => data.setUint16(end + 10, 2, true))).toBe("is no complete zip");
    expect(await view((data, end) => data.setUint32(end + 16, 0xffffffff, true))).toBe("is a zip64");
    const listAt = new DataView(zip.buffer).getUint32(zip.length - 6, true);
    expect(await view((data) => data.setUint32(listAt + 42, zip.length - 4, true))).toStartWith("has an entry that");
    expect(await view((data) => data.setUint16(listAt + 28, 0xffff, true))).toBe("is no complete zip");
    expect(await view((data) => data.setUint32(listAt + 20, 0x7fffffff, true))).toStartWith("has an entry that");
  });

  test("has too many entries, or a name that is no text", async () => {
    const many = Array.from({ length: entriesMax + 1 }, (_, n) => ({ name: String(n), isStored: true }));
    expect(await faultOf(zipOf(many))).toBe(`has more than ${entriesMax} entries`);
    expect(await faultOf(zipOf([{ name: Uint8Array.of(0xff, 0xfe) }]))).toBe("has a name that is not UTF-8");
  });
});
