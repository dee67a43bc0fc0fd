// Reads what the operator calls the instance: its name, one paragraph about it, and a logo from a file.
import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";

import type { Site, SiteLogo } from "@plinth/web/site";

const nameLength = 40;
const aboutLength = 400;
const logoBytes = 64 * 1024;

const logoTypes: Readonly<Record<string, SiteLogo["type"]>> = {
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
};

type Text = (name: string) => string | null;

/** Null for Plinth's name. @throws Error one line that names the variable */
export function siteNameOf(text: Text): string | null {
  const name = text("SITE_NAME");
  return name === null ? null : line("SITE_NAME", name, nameLength);
}

/** @throws Error one line that names the variable */
export function siteOf(text: Text): Site {
  const [name, about, logo] = [siteNameOf(text), text("SITE_ABOUT"), text("SITE_LOGO")];
  return {
    ...(name === null ? {} : { name }),
    ...(about === null ? {} : { about: line("SITE_ABOUT", about, aboutLength) }),
    ...(logo === null ? {} : { logo: logoOf(logo) }),
  };
}

function line(variable: string, given: string, characters: number): string {
  if ([...given].length > characters || /\p{Cc}/u.test(given))
    throw new Error(`${variable} must be one line of at most ${characters} characters`);
  return given;
}

function logoOf(path: string): SiteLogo {
  const type = logoTypes[extname(path).toLowerCase()];
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (type === undefined || size === undefined || size > logoBytes)
    throw new Error(`SITE_LOGO must be the path of an SVG, PNG or WebP file of at most ${logoBytes / 1024} KB`);
  return { type, body: new Uint8Array(readFileSync(path)) };
}
