// Icons of app pages, drawn by Lucide (ISC licence), as paths in a box of 24: a page carries those that it names.

import type { Actor } from "@plinth/contract/schemas/actor";

export const arrowLeft = "m12 19-7-7 7-7M19 12H5";
export const arrowRight = "M5 12h14M12 5l7 7-7 7";
export const bot =
  "M12 8V4H8M6 8h12a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M2 14h2M20 14h2M15 13v2M9 13v2";
export const grid =
  "M4 3h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M15 3h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M15 14h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1h-5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1M4 14h5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1";
export const key =
  "m15.5 7.5 2.3 2.3a1 1 0 0 0 1.4 0l2.1-2.1a1 1 0 0 0 0-1.4L19 4M21 2l-9.6 9.6M13 15.5a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0";
export const lines = "M3 6h18M3 12h18M3 18h18";
export const lock = "M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2M7 11V7a5 5 0 0 1 10 0v4";
export const plus = "M5 12h14M12 5v14";
export const search = "m21 21-4.34-4.34M19 11a8 8 0 1 1-16 0a8 8 0 0 1 16 0";
export const sliders = "M21 4h-7M10 4H3M21 12h-9M8 12H3M21 20h-5M12 20H3M14 2v4M8 10v4M16 18v4";
export const star = "m12 2.5 2.94 5.95 6.56.96-4.75 4.63 1.12 6.54L12 17.5l-5.87 3.08 1.12-6.54L2.5 9.41l6.56-.96z";
export const upload = "M12 3v12M17 8l-5-5-5 5M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4";
export const user = "M19 21v-2a4 4 0 0 0-4-4H9a4 4 0 0 0-4 4v2M16 7a4 4 0 1 1-8 0a4 4 0 0 1 8 0";
export const cross = "M18 6 6 18M6 6l12 12";

/** Tells agents and API keys from people. */
export const authorIcon = (kind: Actor["type"]): string => (kind === "agent" ? bot : kind === "api_key" ? key : user);
