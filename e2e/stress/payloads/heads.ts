// Elements of a head that work anywhere: refreshes, bases, policies, external resources by link.
import { family, markup, parsedMarkup } from "./payload.ts";

const relation = (rel: string, more = "") => markup(({ hit }) => `<link rel="${rel}" href="${hit()}"${more}>`);

export const heads = family("heads", {
  refresh: markup(({ hit }) => `<meta http-equiv="refresh" content="0;url=${hit()}">`),
  "refresh-quoted": markup(({ hit }) => `<meta http-equiv="REFRESH" content="0; URL='${hit()}'">`),
  "refresh-without-word": markup(({ hit }) => `<meta http-equiv=refresh content="0,${hit()}">`),
  "refresh-later": markup(({ hit }) => `<meta http-equiv="refresh" content=".2;${hit()}">`),
  "refresh-data": markup(
    ({ strike }) =>
      `<meta http-equiv="refresh" content="0;url=data:text/html,${encodeURIComponent(`<script>${strike}</script>`)}">`,
  ),
  "base-and-image": parsedMarkup(({ hit }) => `<base href="${hit("base")}/"><img src="picture.png">`),
  "base-and-script": parsedMarkup(({ hit }) => `<base href="${hit("base")}/"><script src="app.js"></script>`),
  "base-and-target": markup(
    ({ hit }) => `<base href="${hit("base")}/" target="_top"><img src="a.png"><a data-click href="#x">x</a>`,
    { pressed: true },
  ),
  stylesheet: relation("stylesheet"),
  "alternate-stylesheet": relation("alternate stylesheet", ' title="x"'),
  "preload-image": relation("preload", ' as="image"'),
  "preload-font": relation("preload", ' as="font" crossorigin'),
  "preload-fetch": relation("preload", ' as="fetch" crossorigin="use-credentials"'),
  modulepreload: relation("modulepreload"),
  icon: markup(({ hit }) => `<link rel="icon" href="${hit()}">`, {
    unproven: "a browser without a window asks for no icon, and no frame's",
  }),
  manifest: markup(({ hit }) => `<link rel="manifest" href="${hit()}">`, {
    unproven: "asked for of a page alone, and where it can be installed",
  }),
  "policy-that-loosens": parsedMarkup(
    ({ hit }) => `<meta http-equiv="Content-Security-Policy" content="img-src *; script-src *"><img src="${hit()}">`,
  ),
  "referrer-of-all": markup(
    ({ hit }) => `<meta name="referrer" content="unsafe-url"><img src="${hit()}" referrerpolicy="unsafe-url">`,
  ),
  "set-cookie": markup(({ hit }) => `<meta http-equiv="Set-Cookie" content="stolen=1"><img src="${hit()}">`),
  "picture-set": markup(({ hit }) => `<picture><source srcset="${hit()} 1x"><img src="data:,"></picture>`),
  image: markup(({ hit }) => `<img src="${hit()}">`),
  "image-set": markup(({ hit }) => `<img srcset="${hit()} 1x, ${hit("large")} 2x" src="data:,">`),
  "image-lazy": markup(({ hit }) => `<img loading="lazy" src="${hit()}" width="1" height="1">`),
  video: markup(({ hit }) => `<video src="${hit()}" poster="${hit("poster")}" preload="auto"></video>`),
  audio: markup(({ hit }) => `<audio src="${hit()}" preload="auto" autoplay></audio>`),
  track: markup(
    ({ hit }) => `<video src="data:video/mp4," muted><track default kind="captions" src="${hit()}"></video>`,
    {
      unproven: "captions are asked for once a film plays",
    },
  ),
  "background-attribute": markup(({ hit }) => `<table background="${hit()}"><tr><td>x</td></tr></table>`),
  "input-image": markup(({ hit }) => `<input type="image" src="${hit()}">`),
});
