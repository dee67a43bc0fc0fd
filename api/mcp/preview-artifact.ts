// `get_artifact_preview`: the view of a version, the report of its page, and for the latest version its screenshot, so
// that its publisher can see it. The report is shortened: a model pays for each word of it.
import type { PageReport, Preview } from "@plinth/contract/schemas/artifact";
import type { ThumbnailDocument } from "@plinth/domain/thumbnails/show";

import type { Arguments } from "./arguments.ts";
import { perform, type Exchange } from "./exchange.ts";
import type { Told } from "./result.ts";

/** Messages in each list, and characters of a message. */
const most = { messages: 10, characters: 200 } as const;
/** The smaller of the two sizes is enough to look at. */
const size = 600;

export async function previewOf(exchange: Exchange, given: Arguments): Promise<Told> {
  const { value } = await perform(exchange, "artifact.preview", given);
  const preview = value as Preview;
  const image = preview.thumbnail === "ready" ? await screenshotOf(exchange, preview.artifactId) : null;
  const { page, leftOut } = briefly(preview.page);
  return {
    sentence: `${preview.url} ${shownHow(preview)}${saidWhat(preview)}`,
    value: { ...preview, page, ...packagesIn(preview), ...(leftOut > 0 && { leftOut }) },
    ...(image !== null && { image }),
  };
}

/** Null where a newer version was published in between. */
async function screenshotOf(exchange: Exchange, artifactId: string): Promise<NonNullable<Told["image"]> | null> {
  const { value } = await perform(exchange, "artifact.thumbnail", { input: { artifactId, size }, errors: [] });
  const { body } = value as ThumbnailDocument;
  if (!(body instanceof Uint8Array)) return null;
  return { data: Buffer.from(body).toString("base64"), mimeType: "image/webp" };
}

function shownHow({ shownAs, errors }: Preview): string {
  if (errors.length === 0) return "is shown as it should be.";
  const how = shownAs === "source" ? "as its source" : "with errors";
  return `is shown ${how}: ${errors.map(({ message }) => message).join("; ")}.`;
}

/** The page's messages are quoted, because anyone may have written them. */
function saidWhat({ page, thumbnail }: Preview): string {
  const first = page?.errors[0];
  if (page !== null && first !== undefined)
    return ` Its page met ${counted(page.errors.length, "error")}, the first: ${JSON.stringify(cut(first.message))}`;
  if (page !== null) return " Its page met no errors.";
  return thumbnail === "pending" ? " Its screenshot and page report are pending: ask again soon." : "";
}

/** Missing ones come first, so that they are never left out. */
function packagesIn({ packages }: Preview): Pick<Preview, "packages"> {
  if (packages === undefined) return {};
  const shown = packages.slice(0, most.messages).map(cut);
  const others = packages.length - shown.length;
  return { packages: others > 0 ? [...shown, `${others} more`] : shown };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

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
