// The Content-Security-Policy of each type of content (docs/reference/security.md §1).
// A sandboxed frame has an opaque origin: every source here is an absolute address, never 'self'.
import { type FramedType, frameSandbox } from "@plinth/contract/frame";

export interface ContentPolicyOptions {
  type: FramedType;
  nonce: string;
  appOrigin: string;
  /** Pages of any site may frame the document, rather than those of the app. */
  isEmbedded?: boolean;
  /** Absolute address of the runtime's directory, with a slash at the end. */
  runtimeUrl: string;
  cdnAllowlist: readonly string[];
  /** Absolute address of the kept packages, with a slash at the end, where the document loads some. */
  packagesUrl?: string;
  /** Absolute address of the kept images, with a slash at the end, where the document shows some. */
  imagesUrl?: string;
  /** Origin and path of each image of the instance that a markdown document shows. */
  ownImages?: readonly string[];
  /** Absolute address of the files beside the document, with a slash at the end, where there are some. */
  filesUrl?: string;
}

/** The whole policy, its sandbox directive saying the same as the frame's attribute. */
export function contentPolicy(options: ContentPolicyOptions): string {
  const { type, appOrigin, runtimeUrl } = options;
  const runtime = type === "html" ? [] : [runtimeUrl];
  const packages = options.packagesUrl === undefined ? [] : [options.packagesUrl];
  const images = options.imagesUrl === undefined ? [] : [options.imagesUrl];
  const files = options.filesUrl === undefined ? [] : [options.filesUrl];
  const own = type === "md" ? [] : files;
  const cdnAllowlist = [...options.cdnAllowlist, ...packages];
  const directives: Record<string, readonly string[]> = {
    sandbox: [frameSandbox(type)],
    "default-src": ["'none'"],
    "script-src": [...scriptSources({ ...options, cdnAllowlist, packages }), ...own],
    // Tools that make one file of a page (pandoc) write its scripts and styles as data: URLs.
    "style-src": ["'unsafe-inline'", ...(type === "html" ? ["data:"] : []), ...runtime, ...cdnAllowlist, ...own],
    "img-src": [
      ...(type === "md" ? ["data:", ...(options.ownImages ?? [])] : ["data:", "blob:", ...cdnAllowlist]),
      ...images,
      ...files,
    ],
    "font-src": ["data:", ...runtime, ...cdnAllowlist, ...own],
    "media-src": ["data:", "blob:", ...files],
    "connect-src": packages.length + own.length > 0 ? [...packages, ...own] : ["'none'"],
    "worker-src": ["blob:"],
    "child-src": ["blob:"],
    "frame-src": ["'none'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'none'"],
    // Without the directive any page may be around it; `*` would leave out sandboxed ones, such as the embed page.
    ...(options.isEmbedded ? {} : { "frame-ancestors": [appOrigin] }),
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

interface ScriptSources extends ContentPolicyOptions {
  readonly packages: readonly string[];
}

function scriptSources({ type, nonce, runtimeUrl, cdnAllowlist, packages }: ScriptSources): string[] {
  if (type === "md") return [runtimeUrl];
  if (type === "jsx") return [runtimeUrl, `'nonce-${nonce}'`, ...packages];
  return ["'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "data:", "blob:", ...cdnAllowlist];
}
