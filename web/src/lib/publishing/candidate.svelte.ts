// A file on its way to being an artifact: what is made of it, what goes with it, what may be wrong, and what became of it.
import type { Problem } from "@plinth/contract/errors";
import { slugPattern } from "@plinth/contract/limits";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import type { DocumentFiles } from "@plinth/contract/publishing/references/collect";
import { likelySecrets, type LikelySecret } from "@plinth/contract/publishing/likely-secrets";
import { inferType } from "@plinth/contract/publishing/document-type";
import type * as inferenceModule from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Availability } from "@plinth/contract/schemas/project";
import { askApi } from "#lib/ask-api.ts";
import { bytesOf } from "#lib/editing/text-form.ts";
import { sha256Of } from "#lib/sha256.ts";
import { publishingTexts } from "#messages/publishing.ts";
import { uploadFiles, type Progress } from "./uploads.ts";

export interface Place {
  readonly workspaceId: string;
  readonly owner: string;
  readonly projectSlug: string;
  readonly isPrivate: boolean;
}

export type Fate =
  | { readonly kind: "waits" }
  | { readonly kind: "sending"; readonly progress: Progress | null }
  | { readonly kind: "published"; readonly url: string }
  /** `existing` is the path of the artifact that has the source path already. */
  | { readonly kind: "refused"; readonly problem: Problem; readonly existing?: string };

type Inference = typeof inferenceModule;

export class Candidate {
  readonly #inference: Inference;
  readonly id: number;
  /** Among the files that it came with. */
  readonly path: string;
  /** Whether it came from a folder, or with others, so that links lead to it by its path. */
  readonly hasSourcePath: boolean;
  readonly text: string;
  readonly secrets: readonly LikelySecret[];
  readonly bytes: number;
  type = $state<ArtifactType>("md");
  title = $state("");
  slug = $state("");
  fate = $state.raw<Fate>({ kind: "waits" });
  availability = $state.raw<Availability | null>(null);
  /** Null until its files have been looked for. */
  found = $state.raw<DocumentFiles | null>(null);

  readonly slugProblem = $derived(
    this.slug === ""
      ? publishingTexts().slugMissing
      : !new RegExp(slugPattern).test(this.slug)
        ? publishingTexts().slugForm
        : this.availability?.available === false
          ? publishingTexts().slugTaken
          : undefined,
  );

  constructor(id: number, path: string, text: string, hasSourcePath: boolean, inference: Inference) {
    this.#inference = inference;
    this.id = id;
    this.path = path;
    this.text = text;
    this.hasSourcePath = hasSourcePath;
    this.bytes = bytesOf(text);
    this.secrets = likelySecrets(text);
    this.type = inferType(path) ?? "md";
    this.title = inference.inferTitle(path, this.type, text) ?? path;
  }

  /** Gives it the slug of its front matter, else that of its title; the person says one where there is none. */
  async suggestSlug(): Promise<void> {
    const { slug } = this.#inference.inferPlace(this.type, this.text);
    this.slug =
      (slug === null ? null : await slugOfTitle(slug)) ??
      (await slugOfTitle(this.title)) ??
      (await slugOfContent(this.text));
  }

  /** Gives it the slug of its path, where another document has that of its title. */
  async suggestPathSlug(): Promise<void> {
    const slug = await slugOfTitle(this.path.replace(/\.[^./]+$/, ""));
    if (slug !== null) this.slug = slug;
  }

  /** Whether its slug is free there; nothing is known where the API does not say. */
  async ask({ owner, projectSlug }: Place): Promise<void> {
    const { slug } = this;
    this.availability = null;
    if (!new RegExp(slugPattern).test(slug)) return;
    const answer = await askApi<Availability>(
      `/api/artifacts/slug-availability/${[owner, projectSlug, slug].map(encodeURIComponent).join("/")}`,
    );
    if (answer.ok && this.slug === slug) this.availability = answer.body;
  }

  /** With its files, which are uploaded first; `files` are those by whose paths they were found. */
  async publish(place: Place, files: ReadonlyMap<string, File>): Promise<void> {
    const { workspaceId, projectSlug, isPrivate } = place;
    this.fate = { kind: "sending", progress: null };
    const found = this.found?.files ?? [];
    const sent = found.flatMap((one) => {
      const file = files.get(one.place);
      return file === undefined ? [] : [{ ...one, file }];
    });
    const refused = await uploadFiles({ workspaceId }, sent, (progress) => (this.fate = { kind: "sending", progress }));
    if (refused !== null) {
      this.fate = { kind: "refused", problem: refused };
      return;
    }
    const description = this.#inference.inferDescription(this.type, this.text);
    const answer = await askApi<Artifact>(`/api/workspaces/${encodeURIComponent(workspaceId)}/artifacts`, {
      method: "POST",
      body: {
        projectSlug,
        slug: this.slug,
        type: this.type,
        title: this.title.trim(),
        ...(description === null ? {} : { description }),
        content: this.text,
        ...(this.hasSourcePath ? { sourcePath: this.path } : {}),
        ...(sent.length === 0 ? {} : { files: sent.map(({ path, sha256 }) => ({ path, sha256 })) }),
        access: {
          publicView: !isPrivate && !this.#inference.inferPlace(this.type, this.text).isPrivate,
          publicEdit: false,
        },
      },
    });
    this.fate = answer.ok ? { kind: "published", url: answer.body.url } : await this.#refusal(answer.problem, place);
  }

  async #refusal(problem: Problem, { owner, projectSlug }: Place): Promise<Fate> {
    if (problem.code !== "source_path_conflict") return { kind: "refused", problem };
    const path = [owner, projectSlug, this.path].map(encodedPath).join("/");
    const found = await askApi<Artifact>(`/api/by-source-path/${path}`);
    const isIt = found.ok && found.body.sourcePath === this.path;
    return { kind: "refused", problem, ...(isIt && { existing: new URL(found.body.url).pathname }) };
  }
}

/** Empty where the page is not served over https: browsers hash nothing there. */
const slugOfContent = async (text: string): Promise<string> =>
  isSecureContext ? untitledSlug(await sha256Of(new TextEncoder().encode(text))) : "";
