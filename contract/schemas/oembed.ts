// An oEmbed answer (oembed.com, version 1.0), whose fields have the names and meanings of that standard.
import Type from "typebox";

const text = Type.String();
const pixels = Type.Integer();

export const OEmbed = Type.Object({
  type: Type.Literal("rich"),
  version: Type.Literal("1.0"),
  title: text,
  /** The owner's username, or the slug of their workspace. */
  author_name: text,
  author_url: text,
  /** The host of the instance. */
  provider_name: text,
  provider_url: text,
  /** An iframe element with the embed page. */
  html: text,
  width: pixels,
  height: pixels,
  cache_age: Type.Integer({ description: "In seconds" }),
  /** The screenshot of the latest version; left out while there is none, or none that fits. */
  thumbnail_url: Type.Optional(text),
  thumbnail_width: Type.Optional(pixels),
  thumbnail_height: Type.Optional(pixels),
});
export type OEmbed = Type.Static<typeof OEmbed>;
