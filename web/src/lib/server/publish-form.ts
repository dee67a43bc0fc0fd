// A document published by a plain form: a file or a text, and what its fields leave out inferred from it.
import { createHash } from "node:crypto";
import { ProblemError, type Client } from "@plinth/contract/client";
import { inferType } from "@plinth/contract/publishing/document-type";
import { inferDescription } from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import { webTitle } from "@plinth/contract/publishing/web-title";
import type { Output } from "@plinth/contract/registry";
import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { refusalOf } from "#lib/form-outcome.ts";
import { pastedName } from "#lib/pasted-file.ts";
import { publishingTexts } from "#messages/publishing.ts";
import type { Fields } from "./submit.ts";

/** @throws ProblemError */
export async function publishForm(
  client: Client,
  field: Fields,
  { workspaceId, projectSlug }: { readonly workspaceId: string; readonly projectSlug: string },
): Promise<Output<"artifact.createInWorkspace">> {
  const file = field.file("file");
  const content = file === null ? (field.all("content")[0] ?? "").replaceAll("\r\n", "\n") : await file.text();
  const name = file?.name ?? pastedName(content);
  const type = artifactTypes.find((one) => one === field.text("type")) ?? inferType(name) ?? "md";
  const title = field.text("title") || (webTitle(file?.name ?? null, type, content) ?? publishingTexts().untitled);
  const description = inferDescription(type, content);
  const given = field.text("slug");
  let slug = given || ((await slugOfTitle(title)) ?? untitledSlug(createHash("sha256").update(content).digest("hex")));
  for (let left = slugsMax; ; left--) {
    try {
      return await client.call("artifact.createInWorkspace", {
        workspaceId,
        projectSlug,
        slug,
        type,
        title,
        ...(description === null ? {} : { description }),
        content,
        access: { publicView: field.text("visibility") !== "private", publicEdit: false },
      });
    } catch (cause) {
      const suggestion = left > 0 && given === "" ? suggestionOf(cause) : null;
      if (suggestion === null) throw cause;
      slug = suggestion;
    }
  }
}

/** Times that a slug which others take at the same moment is replaced. */
const slugsMax = 5;

/** The next free slug, where the one that was inferred is in use. */
function suggestionOf(cause: unknown): string | null {
  if (!(cause instanceof ProblemError)) return null;
  const { code, suggestion = null } = refusalOf(cause.problem);
  return code === "slug_conflict" ? suggestion : null;
}
