// Blocked requests of a frame and their reasons, in plain words.
import type { FramedType } from "@plinth/contract/frame";

export interface Words {
  what: string;
  why: string;
}

const fixed: Readonly<Record<string, Words>> = {
  "connect-src": {
    what: "Requests over the network",
    why: "A document can't talk to other sites, so nothing you read or type here can be sent away by it.",
  },
  "worker-src": { what: "Workers from elsewhere", why: "A document runs workers only of its own making." },
  "form-action": { what: "Sending a form", why: "Forms can't be sent anywhere; a form that a script answers works." },
  "frame-src": { what: "Pages inside the page", why: "A document can't frame other pages." },
  "child-src": { what: "Pages inside the page", why: "A document can't frame other pages." },
  "object-src": { what: "Plug-ins", why: "A document can't embed plug-in content." },
  "base-uri": { what: "Another base address", why: "A document can't change where its links lead from." },
  "media-src": {
    what: "Sound and video from elsewhere",
    why: "They must be part of the document, as data: addresses.",
  },
  navigation: {
    what: "Leaving this page",
    why: "The document tried to put another page in its place. It stays in its frame.",
  },
};

const loaded: Readonly<Record<string, string>> = {
  "script-src": "Scripts",
  "style-src": "Stylesheets",
  "img-src": "Images",
  "font-src": "Fonts",
};

const byAllowlist =
  "Documents load packages that this instance keeps, and nothing else but what its operator names in HTML_CDN_ALLOWLIST.";
const byType: Readonly<Record<FramedType, string>> = {
  html: byAllowlist,
  jsx: "Documents of this type load only the libraries that this instance brings along.",
  md: "Documents of this type load nothing from other sites.",
};

/** `directive` is a policy's, or "navigation"; anything else is told in general words. */
export function blockedWords(directive: string, address: string, type: FramedType): Words {
  const known = Object.hasOwn(fixed, directive) ? fixed[directive] : undefined;
  if (known) return known;
  // Directives have finer forms: script-src-elem, style-src-attr.
  const [, coarse = ""] = /^([a-z]+-src)(?:-elem|-attr)?$/.exec(directive) ?? [];
  const things = Object.hasOwn(loaded, coarse) ? loaded[coarse] : undefined;
  if (things === undefined) return { what: "Something else", why: "The sandbox of this document doesn't allow it." };
  if (!/^(?:https?:)?\/\//.test(address)) {
    return { what: `${things} of this kind`, why: "The sandbox of this document doesn't run or load them." };
  }
  return { what: `${things} from other sites`, why: byType[type] };
}
