// Images for tests, each as few bytes as its header takes.

const text = (value: string): number[] => [...value].map((character) => character.charCodeAt(0));
const big = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => (value / 256 ** (bytes - 1 - at)) & 255);
const little = (value: number, bytes: number): number[] => big(value, bytes).toReversed();

/** A real one, of one grey pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/** The beginning of one, as far as its size. */
export const png = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...text("\x89PNG\r\n\x1a\n"),
    ...big(13, 4),
    ...text("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
    8,
    2,
    0,
    0,
    0,
  ]);

export const gif = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...text("GIF89a"), ...little(width, 2), ...little(height, 2), 0, 0, 0]);

/** With a segment ahead of the frame's header. */
export const jpeg = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0xff, 0xd8, 0xff, 0xe0, ...big(4, 2), 1, 2],
    ...[0xff, 0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3],
  ]);

const riff = (form: string, data: readonly number[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([...text("RIFF"), ...little(data.length + 12, 4), ...text("WEBP"), ...text(form), ...data]);

export const webp = {
  extended: (width: number, height: number) =>
    riff("VP8X", [...little(10, 4), 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)]),
  lossless: (width: number, height: number) =>
    riff("VP8L", [...little(10, 4), 0x2f, ...little(width - 1 + (height - 1) * 2 ** 14, 4)]),
  lossy: (width: number, height: number) =>
    riff("VP8 ", [...little(10, 4), 0, 0, 0, 0x9d, 1, 0x2a, ...little(width, 2), ...little(height, 2)]),
};

const box = (name: string, data: readonly number[]): number[] => [...big(data.length + 8, 4), ...text(name), ...data];

/** Of a grid: the parts are smaller than the image. */
export const avif = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const size = (wide: number, high: number) => box("ispe", [0, 0, 0, 0, ...big(wide, 4), ...big(high, 4)]);
  const properties = box("ipco", [...size(1, 1), ...box("pixi", [0, 0, 0, 0]), ...size(width, height)]);
  const meta = box("meta", [0, 0, 0, 0, ...box("hdlr", [0, 0, 0, 0]), ...box("iprp", properties)]);
  return Uint8Array.from([...box("ftyp", [...text("mif1"), 0, 0, 0, 0, ...text("mif1"), ...text("avif")]), ...meta]);
};

export const bmp = (width: number, height: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...text("BM"),
    ...Array<number>(12).fill(0),
    ...little(40, 4),
    ...little(width, 4),
    ...little(2 ** 32 - height, 4),
    0,
    0,
  ]);

/** Two images: one by its entry, one that is a PNG. */
export const ico = (width: number, height: number): Uint8Array<ArrayBuffer> => {
  const image = png(width, height);
  const entry = (side: number, at: number) => [
    side,
    side,
    0,
    0,
    1,
    0,
    32,
    0,
    ...little(image.length, 4),
    ...little(at, 4),
  ];
  return Uint8Array.from([0, 0, 1, 0, 2, 0, ...entry(16, 38 + image.length), ...entry(0, 38), ...image, 1, 2, 3, 4]);
};

export const svg = (attributes = 'width="30" height="20"', inside = '<rect width="30" height="20" fill="teal"/>') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`;
