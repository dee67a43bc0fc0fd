// A document published by a plain form: a file or a text, and what its fields leave out inferred from it.
import { createHash } from "node:crypto";
import type { Client } from "@plinth/contract/client";
import { inferType } from "@plinth/contract/publishing/document-type";
import { inferDescription, inferTitle } from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import type { Output } from "@plinth/contract/registry";
import { artifactTypes } from "@plinth/contract/schemas/artifact";
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
  const name = file?.name ?? "-";
  const type = artifactTypes.find((one) => one === field.text("type")) ?? inferType(name) ?? "md";
  const title = field.text("title") || (inferTitle(name, type, content) ?? publishingTexts().untitled);
  const description = inferDescription(type, content);
  return client.call("artifact.createInWorkspace", {
    workspaceId,
    projectSlug,
    slug:
      field.text("slug") ||
      ((await slugOfTitle(title)) ?? untitledSlug(createHash("sha256").update(content).digest("hex"))),
    type,
    title,
    ...(description === null ? {} : { description }),
    content,
    access: { publicView: field.text("visibility") !== "private", publicEdit: false },
  });
}
