// Blocked requests of a frame and their reasons, in plain words.
import type { FramedType } from "@plinth/contract/frame";
import { viewerTexts } from "#messages/viewer.ts";

export interface Words {
  what: string;
  why: string;
}

const fixed = {
  "connect-src": "network",
  "worker-src": "workers",
  "form-action": "forms",
  "frame-src": "frames",
  "child-src": "frames",
  "object-src": "plugins",
  "base-uri": "base",
  "media-src": "media",
  navigation: "navigation",
  feature: "features",
} as const;

const loaded = {
  "script-src": "scripts",
  "style-src": "stylesheets",
  "img-src": "images",
  "font-src": "fonts",
} as const;

const has = <Known extends object>(known: Known, name: string): name is keyof Known & string =>
  Object.hasOwn(known, name);

/** `directive` is a policy's, "navigation" or "feature"; anything else is told in general words. */
export function blockedWords(directive: string, address: string, type: FramedType): Words {
  const text = viewerTexts();
  if (has(fixed, directive)) return text[fixed[directive]];
  // Directives have finer forms: script-src-elem, style-src-attr.
  const [, coarse = ""] = /^([a-z]+-src)(?:-elem|-attr)?$/.exec(directive) ?? [];
  if (!has(loaded, coarse)) return text.other;
  const things = text[loaded[coarse]];
  if (!/^(?:https?:)?\/\//.test(address)) return { what: text.ofThisKind({ things }), why: text.ofThisKindWhy };
  return { what: text.fromOthers({ things }), why: text[`${type}Why`] };
}
