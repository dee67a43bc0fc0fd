// A file on its way to being an artifact: what is made of it, what may be wrong with it, and what became of it.
import type { Problem } from "@plinth/contract/errors";
import { slugPattern } from "@plinth/contract/limits";
import { likelySecrets, type LikelySecret } from "@plinth/contract/publishing/likely-secrets";
import { inferDescription, inferTitle, inferType } from "@plinth/contract/publishing/inference";
import { slugOfTitle, untitledSlug } from "@plinth/contract/publishing/slug";
import type { Artifact, ArtifactType } from "@plinth/contract/schemas/artifact";
import type { Availability } from "@plinth/contract/schemas/project";
import { askApi } from "#lib/ask-api.ts";
import { bytesOf } from "#lib/editing/text-form.ts";

export interface Place {
  readonly workspaceId: string;
  readonly owner: string;
  readonly projectSlug: string;
  readonly isPrivate: boolean;
}

export type Fate =
  | { readonly kind: "waits" }
  | { readonly kind: "sending" }
  | { readonly kind: "published"; readonly url: string }
  | { readonly kind: "refused"; readonly problem: Problem };

export class Candidate {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly secrets: readonly LikelySecret[];
  readonly bytes: number;
  type = $state<ArtifactType>("md");
  title = $state("");
  slug = $state("");
  fate = $state.raw<Fate>({ kind: "waits" });
  availability = $state.raw<Availability | null>(null);

  readonly slugProblem = $derived(
    this.slug === ""
      ? "is needed"
      : !new RegExp(slugPattern).test(this.slug)
        ? "has lower-case letters, digits and single hyphens"
        : this.availability?.available === false
          ? "is taken there"
          : undefined,
  );

  constructor(id: number, name: string, text: string) {
    this.id = id;
    this.name = name;
    this.text = text;
    this.bytes = bytesOf(text);
    this.secrets = likelySecrets(text);
    this.type = inferType(name) ?? "md";
    this.title = inferTitle(name, this.type, text) ?? name;
  }

  /** Gives it the slug of its title; the person says one where there is none. */
  async suggestSlug(): Promise<void> {
    this.slug = (await slugOfTitle(this.title)) ?? (await slugOfContent(this.text));
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

  async publish({ workspaceId, projectSlug, isPrivate }: Place): Promise<void> {
    this.fate = { kind: "sending" };
    const description = inferDescription(this.type, this.text);
    const answer = await askApi<Artifact>(`/api/workspaces/${encodeURIComponent(workspaceId)}/artifacts`, {
      method: "POST",
      body: {
        projectSlug,
        slug: this.slug,
        type: this.type,
        title: this.title.trim(),
        ...(description === null ? {} : { description }),
        content: this.text,
        access: { publicView: !isPrivate, publicEdit: false },
      },
    });
    this.fate = answer.ok ? { kind: "published", url: answer.body.url } : { kind: "refused", problem: answer.problem };
  }
}

/** The text of a file; what is wrong with it where it is none. */
export async function textOf(file: File, maxBytes: number): Promise<{ text: string } | { refused: string }> {
  if (file.size > maxBytes) return { refused: `${file.name} is too large` };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? { refused: `${file.name} is no text` } : { text };
  } catch {
    // Bytes that are no UTF-8, or a folder.
    return { refused: `${file.name} is no text` };
  }
}

/** Empty where the page is not served over https: browsers hash nothing there. */
async function slugOfContent(text: string): Promise<string> {
  if (!isSecureContext) return "";
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return untitledSlug(Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(""));
}
