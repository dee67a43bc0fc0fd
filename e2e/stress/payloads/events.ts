// Event handlers in attributes: those that fire by themselves, and those that a reader triggers.
import { family, markup, parsedMarkup } from "./payload.ts";

const pressed = { pressed: true } as const;

export const events = family("events", {
  "image-error": markup(({ strike }) => `<img src="data:," onerror="${strike}">`),
  "image-load": markup(
    ({ strike }) =>
      `<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" onload="${strike}">`,
  ),
  "unquoted-and-slashes": markup(({ strike }) => `<img/src="data:,"/onerror="${strike}"//>`),
  "mixed-case": markup(({ strike }) => `<iMg sRc=data:, oNeRrOr="${strike}">`),
  "details-toggle": markup(({ strike }) => `<details open ontoggle="${strike}"><summary>More</summary>Text</details>`),
  "focus-by-itself": parsedMarkup(({ strike }) => `<input autofocus onfocus="${strike}">`),
  "body-load": parsedMarkup(({ strike }) => `<body onload="${strike}">`),
  "animation-start": markup(
    ({ strike }) =>
      `<style>@keyframes x{from{left:0}}</style><p style="animation:x 1s" onanimationstart="${strike}">Text</p>`,
  ),
  "transition-of-link": markup(({ strike }) => `<a data-click tabindex=1 onfocus="${strike}">Read on</a>`, pressed),
  "video-source-error": markup(({ strike }) => `<video><source src="data:," onerror="${strike}"></video>`),
  "audio-error": markup(({ strike }) => `<audio src="data:," onerror="${strike}"></audio>`),
  "object-error": markup(({ strike }) => `<object data="data:," onerror="${strike}">Text</object>`, {
    unproven: { jsx: "an inserted object fires no error here", md: "as html", html: "the object loads an empty page" },
  }),
  click: markup(({ strike }) => `<button data-click onclick="${strike}">Press</button>`, pressed),
  "pointer-over": markup(({ strike }) => `<a data-click href="#" onpointerover="${strike}">Look</a>`, pressed),
  "mouse-down": markup(({ strike }) => `<div data-click onmousedown="${strike}">Here</div>`, pressed),
  "scroll-snap": markup(
    ({ strike }) =>
      `<div style="overflow:auto;height:9px" onscroll="${strike}"><p id="far" style="margin-top:99px">x</p></div><a data-click href="#far">Go</a>`,
    pressed,
  ),
  "before-match": markup(
    ({ strike }) =>
      `<button data-click popovertarget="pop">Open</button><div popover id="pop" onbeforetoggle="${strike}">x</div>`,
    pressed,
  ),
  "content-visibility": markup(
    ({ strike }) => `<div style="content-visibility:auto" oncontentvisibilityautostatechange="${strike}">x</div>`,
  ),
  "marquee-start": markup(({ strike }) => `<marquee onstart="${strike}" loop=1>x</marquee>`, {
    unproven: "Chromium's marquee fires no event",
  }),
  "style-load": markup(({ strike }) => `<style onload="${strike}">p{color:red}</style>`),
});
