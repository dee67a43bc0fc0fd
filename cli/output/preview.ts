// `--dry-run`: the request that would be sent, with content as its size and hash. Sends nothing.
import { oneLine } from "../terminal/style.ts";
import { escapeControls, type Result } from "./print.ts";

export interface Preview {
  readonly dryRun: true;
  readonly request: { readonly method: string; readonly url: string; readonly body: unknown };
}

/** Writes a request down; its headers, and so the token, are left out. */
export async function previewOf(request: Request): Promise<Preview> {
  const [text, { digestOf }] = await Promise.all([request.text(), import("../files/digest.ts")]);
  const body: unknown =
    text === ""
      ? null
      : JSON.parse(text, (key, value: unknown) =>
          key === "content" && typeof value === "string" ? digestOf(value) : value,
        );
  return { dryRun: true, request: { method: request.method, url: request.url, body } };
}

/** The result of a dry run. */
export async function preview(request: Request): Promise<Result> {
  const value = await previewOf(request);
  return { value, text: ({ paint }) => previewText(value, paint) };
}

/** Method, address and body for people. */
export function previewText(
  { request: { method, url, body } }: Preview,
  paint: (colour: "bold", text: string) => string,
): string {
  const request = `${paint("bold", method)} ${oneLine(url)}`;
  return body === null ? request : `${request}\n${escapeControls(JSON.stringify(body, null, 2))}`;
}
