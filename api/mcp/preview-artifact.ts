// `get_artifact_preview`: the view of a version, the report of its page, and for the latest version its screenshot, so
// that its publisher can see it. The report is shortened: a model pays for each word of it.
import type { PageReport, Preview } from "@plinth/contract/schemas/artifact";
import type { ThumbnailDocument } from "@plinth/domain/thumbnails/show";

import type { Arguments } from "./arguments.ts";
import { perform, type Attempted, type Exchange } from "./exchange.ts";
import { counted, partsOf, quoted } from "./item-lines.ts";
import { missingLines } from "./missing-lines.ts";
import type { ToolAnswer } from "./result.ts";

/** Messages in each list, characters of a message, and files. */
const most = { messages: 10, characters: 200, files: 50 } as const;
/** The smaller of the two sizes is enough to look at. */
const size = 600;

export async function previewOf(exchange: Exchange, given: Arguments, attempted: Attempted): Promise<ToolAnswer> {
  const preview = await awaited(exchange, given, attempted);
  const image = preview.thumbnail === "ready" ? await screenshotOf(exchange, preview.artifactId) : null;
  const { page, leftOut: messages } = briefly(preview.page);
  const files = preview.files?.slice(0, most.files);
  const leftOut = messages + (preview.files?.length ?? 0) - (files?.length ?? 0);
  const warnings = preview.warnings?.map(cut);
  const further = { ...(warnings && { warnings }), ...(files && { files }), ...(leftOut > 0 && { leftOut }) };
  const shown = { ...preview, page, ...packagesIn(preview), ...further };
  return { summary: summaryOf(preview, shown), ...(image !== null && { image }) };
}

/** The pause between two looks in ms, which grows from the first to the second: the screenshot is taken elsewhere. */
const pauses = { first: 250, longest: 2000 } as const;

/** Each look is a call of the caller's, so that it is authorized and counted again. */
async function awaited(exchange: Exchange, given: Arguments, { report }: Attempted): Promise<Preview> {
  const seconds = Number(given.own["waitSeconds"] ?? 0);
  const until = performance.now() + seconds * 1000;
  for (let pause: number = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
    const preview = (await perform(exchange, "artifact.preview", given)).value as Preview;
    const left = until - performance.now();
    if (preview.thumbnail !== "pending" || !(left > 0)) return preview;
    await report?.(Math.max(0, seconds - left / 1000), seconds, "Waiting for the screenshot");
    await Bun.sleep(Math.min(pause, left));
  }
}

/** Null where a newer version was published in between. */
async function screenshotOf(exchange: Exchange, artifactId: string): Promise<NonNullable<ToolAnswer["image"]> | null> {
  const { value } = await perform(exchange, "artifact.thumbnail", { input: { artifactId, size }, errors: [] });
  const { body } = value as ThumbnailDocument;
  if (!(body instanceof Uint8Array)) return null;
  return { data: Buffer.from(body).toString("base64"), mimeType: "image/webp" };
}

/** The page's messages are quoted, because anyone may have written them. */
function summaryOf(whole: Preview, shown: Shown): string {
  const { url, errors, warnings = [], page, packages = [], files = [], leftOut = 0 } = shown;
  const lines = [
    ...(whole.thumbnail === "placeholder" ? ["- no screenshot could be taken"] : []),
    ...errors.map((error) => `- cannot be shown: ${placed(error)}`),
    ...warnings.map((warning) => `- warning: ${quoted(warning)}`),
    ...(page?.errors ?? []).map((error) => `- page error: ${placed(error)}`),
    ...(page?.console ?? []).map(({ level, text }) => `- console ${level}: ${quoted(text)}`),
    ...missingLines(whole.missing),
    ...packages.map((name) => `- loads ${name}`),
    ...files.map(({ path, sizeBytes }) => `- file ${path}, ${counted(sizeBytes, "byte")}`),
    ...(leftOut > 0 ? [`${leftOut} more are left out.`] : []),
  ];
  return [`${url} ${outcomeOf(whole)}`, ...lines].join("\n");
}

type Shown = Preview & { readonly leftOut?: number };

/** Whether the page works is only known once it was loaded for its screenshot. */
function outcomeOf({ shownAs, errors, page, thumbnail, missing }: Preview): string {
  const failures = errors.length + (page?.errors.length ?? 0);
  if (failures > 0)
    return `has ${counted(failures, "error")}${shownAs === "source" ? " and is shown as its source" : ""}.`;
  if (missing !== undefined && missing.count > 0 && page !== null)
    return "is shown, but some of its references lead nowhere.";
  if (page !== null)
    return missing === undefined
      ? "is shown; it takes too long to check for missing files and dead links."
      : "is shown without errors.";
  return thumbnail === "pending"
    ? "can be shown; its screenshot and page report are pending: ask again soon, or with waitSeconds."
    : "can be shown; there is no report of its page.";
}

const placed = ({ message, line, column }: Preview["errors"][number]): string =>
  partsOf(quoted(message), line !== undefined && `line ${line}${column === undefined ? "" : `, column ${column}`}`);

/** Missing ones come first, so that they are never left out. */
function packagesIn({ packages }: Preview): Pick<Preview, "packages"> {
  if (packages === undefined) return {};
  const shown = packages.slice(0, most.messages).map(cut);
  const others = packages.length - shown.length;
  return { packages: others > 0 ? [...shown, `${others} more`] : shown };
}

/** Console warnings precede plain messages. */
function briefly(report: PageReport | null): { page: PageReport | null; leftOut: number } {
  if (report === null) return { page: null, leftOut: 0 };
  const { errors, console } = report;
  const warns = ({ level }: PageReport["console"][number]) => level === "error" || level === "warning";
  const lines = [...console.filter(warns), ...console.filter((line) => !warns(line))];
  const page = {
    errors: errors.slice(0, most.messages).map((error) => ({ ...error, message: cut(error.message) })),
    console: lines.slice(0, most.messages).map((line) => ({ ...line, text: cut(line.text) })),
  };
  return { page, leftOut: errors.length - page.errors.length + lines.length - page.console.length };
}

const cut = (text: string): string =>
  text.length <= most.characters ? text : `${text.slice(0, most.characters).toWellFormed()}…`;
