// An oEmbed answer (oembed.com, version 1.0), whose fields have the names of that standard.
import Type from "typebox";

import { Url } from "./text.ts";

const Pixels = Type.Integer({ minimum: 1 });

export const OEmbed = Type.Object({
  type: Type.Literal("rich"),
  version: Type.Literal("1.0"),
  title: Type.String(),
  author_name: Type.String({ description: "The owner's username, or the slug of their workspace" }),
  author_url: Url,
  provider_name: Type.String({ description: "The host of the instance" }),
  provider_url: Url,
  html: Type.String({ description: "An iframe element with the embed page" }),
  width: Pixels,
  height: Pixels,
  cache_age: Type.Integer({
    description: "Seconds for which the answer can be kept. Access is decided by the embed page",
  }),
  thumbnail_url: Type.Optional(
    Type.String({
      description: "The screenshot of the latest version; left out while there is none, or none that fits",
    }),
  ),
  thumbnail_width: Type.Optional(Pixels),
  thumbnail_height: Type.Optional(Pixels),
});
export type OEmbed = Type.Static<typeof OEmbed>;
