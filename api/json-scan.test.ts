// Compares the scan with the parser's tree: it counts every value, and no text can hide or imitate structure.
import { expect, test } from "bun:test";

import { createJsonScan, type JsonBounds } from "./json-scan.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const excessIn = (bytes: Uint8Array, bounds: JsonBounds) => createJsonScan(bounds)(bytes);
const loose = { depth: 1000, values: 1000 };

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + valuesOf(inner), 1);
}

const samples: unknown[] = [
  1,
  "text",
  null,
  [],
  {},
  [[]],
  [[], [], {}],
  { a: 1, b: [1, 2, { c: null }], d: {} },
  ["[[[[{{{{,,,,", "]]]]}}}}", '\\"[[[', "\\", 'a\\\\"{[,'],
  { '{"[,\\"': ['"'], "\\\\": "}" },
  [true, false, -1.5e3, "ü[,😀{"],
  [`"\\${'"'.repeat(250)}[[,`, "\\".repeat(301), { [`${"\\".repeat(40)}"[`]: 1 }],
];

test.each(samples.map((sample) => [sample] as const))(
  "the depth and the values of %j are counted exactly",
  (sample) => {
    for (const text of [JSON.stringify(sample), JSON.stringify(sample, null, "\t ")]) {
      const [depth, values] = [depthOf(sample), valuesOf(sample)];
      expect(excessIn(bytesOf(text), { depth, values })).toBeNull();
      if (depth > 0) expect(excessIn(bytesOf(text), { ...loose, depth: depth - 1 })).toBe("depth");
      if (values > 1) expect(excessIn(bytesOf(text), { ...loose, values: values - 1 })).toBe("values");
    }
  },
);

test("a text in two pieces has the structure of the whole, wherever it is cut", () => {
  for (const sample of samples) {
    const bytes = bytesOf(JSON.stringify(sample));
    const [depth, values] = [depthOf(sample), valuesOf(sample)];
    const excessAt = (cut: number, bounds: JsonBounds) => {
      const scan = createJsonScan(bounds);
      return scan(bytes.subarray(0, cut)) ?? scan(bytes.subarray(cut));
    };
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(excessAt(cut, { depth, values })).toBeNull();
      if (depth > 0) expect(excessAt(cut, { ...loose, depth: depth - 1 })).toBe("depth");
      if (values > 1) expect(excessAt(cut, { ...loose, values: values - 1 })).toBe("values");
    }
  }
});

test("what is not JSON is read to its end without a fault", () => {
  for (const text of ["", '"', '"\\', "]]]]", '{"a', "\u0000", "}{"]) expect(excessIn(bytesOf(text), loose)).toBeNull();
});

test("the scan reads no further than to the first excess", () => {
  let read = 0;
  const bytes = new Proxy(bytesOf("[".repeat(1_000_000)), {
    get(target, name) {
      if (name !== "length") read++;
      return Reflect.get(target, name, target) as unknown;
    },
  });
  expect(excessIn(bytes, { depth: 16, values: 10_000 })).toBe("depth");
  expect(read).toBeLessThan(20);
});
