// Files that tests give: uploaded beside a document, or dropped on a page.
import type { Page } from "playwright-core";

import type { Person } from "./people.ts";

/** Of 2 by 1 pixels. */
export const png = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGNkYPhfz8DAwAAABAMBAbc6P3EAAAAASUVORK5CYII=",
);

/** Uploads files, for versions with them. */
export const uploadFiles = ({ client }: Person, contents: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>) =>
  Promise.all(
    Object.entries(contents).map(async ([path, given]) => {
      const file = typeof given === "string" ? new TextEncoder().encode(given) : given;
      const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
      await client.call("file.upload", { sha256 }, { file });
      return { path, sha256 };
    }),
  );

/** Drags files and folders of this machine over points of a page, and drops them on the last one. */
export async function dropFiles(
  page: Page,
  files: readonly string[],
  ...points: readonly { x: number; y: number }[]
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const send = (type: "dragEnter" | "dragOver" | "drop", at = { x: 300, y: 300 }) =>
    session.send("Input.dispatchDragEvent", { type, ...at, data });
  await send("dragEnter", points[0]);
  for (const point of points.length === 0 ? [undefined] : points) await send("dragOver", point);
  await send("drop", points.at(-1));
}
