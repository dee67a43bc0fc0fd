// A file on its way to being an artifact: what is made of it, what goes with it, what may be wrong, and what became of it.
import type { Problem } from "@plinth/contract/errors";
import { slugPattern } from "@plinth/contract/limits";
import { encodedPath } from "@plinth/contract/publishing/file-path";
import type { DocumentFiles } from "@plinth/contract/publishing/references/collect";
import { likelySecrets, type LikelySecret } from "@plinth/contract/publishing/likely-secrets";
import { inferType } from "@plinth/contract/publishing/document-type";
import type * as inferenceModule from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import type * as titleModule from "@plinth/contract/publishing/web-title";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Availability } from "@plinth/contract/schemas/project";
import { askApi } from "#lib/ask-api.ts";
import { bytesOf } from "#lib/editing/text-form.ts";
import { refusalOf } from "#lib/form-outcome.ts";
import { isPasted } from "#lib/pasted-file.ts";
import { sha256Of } from "#lib/publishing/listed-source.ts";
import { publishingTexts } from "#messages/publishing.ts";
import { nextSlug } from "./next-slug.ts";
import { uploadFiles, type Progress } from "./uploads.ts";

export interface Place {
  readonly workspaceId: string;
  readonly owner: string;
  readonly projectSlug: string;
  readonly isPrivate: boolean;
}

type Fate =
  | { readonly kind: "waits" }
  | { readonly kind: "sending"; readonly progress: Progress | null }
  | { readonly kind: "published"; readonly url: string }
  /** `existing` is the path of the artifact that has the source path already. */
  | { readonly kind: "refused"; readonly problem: Problem; readonly existing?: string };

type Inference = typeof inferenceModule & typeof titleModule;

/** Times that a slug which others take at the same moment is replaced. */
const slugsMax = 5;

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
  /** The slug that was suggested for it last; another one is its author's. */
  suggested = $state("");
  /** A suggested slug that is in use, for which the next free one was taken. */
  taken = $state<string | null>(null);
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
    this.title = this.#suggestedTitle = this.#titleOf();
  }

  #suggestedTitle: string;

  #titleOf(): string {
    const fileName = isPasted(this.path) ? null : this.path;
    return this.#inference.webTitle(fileName, this.type, this.text) ?? publishingTexts().untitled;
  }

  /** Gives it another type, and suggests title and slug again where its author did not write them. */
  async retype(type: ArtifactType, others: readonly Candidate[]): Promise<void> {
    this.type = type;
    if (this.title !== this.#suggestedTitle) return;
    this.title = this.#suggestedTitle = this.#titleOf();
    if (this.slug !== this.suggested) return;
    await this.suggestSlug();
    this.separate(others);
  }

  /** Gives it the slug of its front matter, else that of its title; the person says one where there is none. */
  async suggestSlug(): Promise<void> {
    const { slug } = this.#inference.inferPlace(this.type, this.text);
    this.#suggest(
      (slug === null ? null : await slugOfTitle(slug)) ??
        (await slugOfTitle(this.title)) ??
        (await slugOfContent(this.text)),
    );
  }

  #suggest(slug: string, taken: string | null = null): void {
    this.slug = this.suggested = slug;
    this.taken = taken;
  }

  /** Gives it the next slug that none of the others has, where one has its slug. */
  separate(others: readonly Candidate[]): void {
    const slugs = slugsOf(others, this);
    if (slugs.has(this.slug)) this.#suggest(nextSlug(this.slug, slugs), this.taken);
  }

  /** The slug to take for one that is in use here or there; null where that is not known. */
  freeSlug(others: readonly Candidate[]): string | null {
    const slugs = slugsOf(others, this);
    const there = this.availability?.available === false ? this.availability.suggestion : null;
    if (there === null) return slugs.has(this.slug) ? nextSlug(this.slug, slugs) : null;
    return this.#free(there, slugs);
  }

  /** What the API suggests; for a slug that was given a number already, the next number. */
  #free(suggestion: string, slugs: ReadonlySet<string>): string {
    if (this.taken !== null && this.slug === this.suggested) return nextSlug(this.slug, slugs);
    return slugs.has(suggestion) ? nextSlug(suggestion, slugs) : suggestion;
  }

  /** Gives it the slug of its path, where another document has that of its title; what is pasted has no path. */
  async suggestPathSlug(): Promise<void> {
    const slug = isPasted(this.path) ? null : await slugOfTitle(this.path.replace(/\.[^./]+$/, ""));
    if (slug !== null) this.#suggest(slug);
  }

  /** Whether its slug is free there; nothing is known where the API does not say. Replaces a suggested one that is not. */
  async ask({ owner, projectSlug }: Place, others: readonly Candidate[]): Promise<void> {
    const { slug } = this;
    this.availability = null;
    if (!new RegExp(slugPattern).test(slug)) return;
    const answer = await askApi<Availability>(
      `/api/artifacts/slug-availability/${[owner, projectSlug, slug].map(encodeURIComponent).join("/")}`,
    );
    if (!answer.ok || this.slug !== slug) return;
    this.availability = answer.body;
    const free = answer.body.available || slug !== this.suggested ? null : this.freeSlug(others);
    if (free === null) return;
    this.availability = null;
    this.#suggest(free, this.taken ?? slug);
  }

  /** With its files, which are uploaded first; `files` are those by whose paths they were found. */
  async publish(place: Place, files: ReadonlyMap<string, File>, others: readonly Candidate[]): Promise<void> {
    const { workspaceId } = place;
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
    for (let left = slugsMax; ; left--) {
      const answer = await this.#send(place, sent);
      if (answer.ok) {
        this.fate = { kind: "published", url: answer.body.url };
        return;
      }
      const { code, suggestion } = refusalOf(answer.problem);
      if (left === 0 || code !== "slug_conflict" || suggestion === undefined || this.slug !== this.suggested) {
        this.fate = await this.#refusal(answer.problem, place);
        return;
      }
      this.#suggest(this.#free(suggestion, slugsOf(others, this)), this.taken ?? this.slug);
    }
  }

  #send({ workspaceId, projectSlug, isPrivate }: Place, sent: readonly { path: string; sha256: string }[]) {
    const description = this.#inference.inferDescription(this.type, this.text);
    return askApi<Artifact>(`/api/workspaces/${encodeURIComponent(workspaceId)}/artifacts`, {
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
  }

  async #refusal(problem: Problem, { owner, projectSlug }: Place): Promise<Fate> {
    if (problem.code !== "source_path_conflict") return { kind: "refused", problem };
    const path = [owner, projectSlug, this.path].map(encodedPath).join("/");
    const found = await askApi<Artifact>(`/api/by-source-path/${path}`);
    const isIt = found.ok && found.body.sourcePath === this.path;
    return { kind: "refused", problem, ...(isIt && { existing: new URL(found.body.url).pathname }) };
  }
}

const slugsOf = (others: readonly Candidate[], candidate: Candidate): ReadonlySet<string> =>
  new Set(others.filter((one) => one !== candidate).map(({ slug }) => slug));

/** Empty where the page is not served over https: browsers hash nothing there. */
const slugOfContent = async (text: string): Promise<string> =>
  isSecureContext ? untitledSlug(await sha256Of(new TextEncoder().encode(text))) : "";
