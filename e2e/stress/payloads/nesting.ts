// Documents within documents, and elements whose content is parsed by other rules.
import { family, html, markup, parsedMarkup } from "./payload.ts";

const inAttribute = (markupText: string): string => markupText.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const image = (strike: string): string => `<img src="data:," onerror="${strike}">`;
const pageAddress = (strike: string): string => `data:text/html,${encodeURIComponent(`<script>${strike}</script>`)}`;

export const nesting = family("nesting", {
  "frame-of-its-own": markup(({ strike }) => `<iframe srcdoc="${inAttribute(`<script>${strike}</script>`)}"></iframe>`),
  "frame-outside": markup(({ hit }) => `<iframe src="${hit()}"></iframe>`),
  "frame-script-address": markup(({ strike }) => `<iframe src="javascript:${strike}"></iframe>`),
  "frame-data": markup(({ strike }) => `<iframe src="${pageAddress(strike)}"></iframe>`),
  "frame-allowing-all": markup(
    ({ strike }) =>
      `<iframe sandbox="allow-scripts allow-same-origin allow-top-navigation" srcdoc="${inAttribute(`<script>${strike}</script>`)}"></iframe>`,
  ),
  "frame-of-the-app": markup(({ app, strike }) => `<iframe src="${app}/api/profile/me" onload="${strike}"></iframe>`),
  frameset: html(({ hit }) => `<!doctype html><html><frameset><frame src="${hit()}"></frameset></html>`),
  "object-outside": markup(({ hit }) => `<object data="${hit()}"></object>`),
  "embed-outside": markup(({ hit }) => `<embed src="${hit()}">`),
  "object-page": markup(({ hit }) => `<object data="${hit()}" type="text/html"></object>`),
  "embed-drawing": markup(
    ({ strike }) =>
      `<embed type="image/svg+xml" src="data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg"><script>${strike}</script></svg>`)}">`,
  ),
  "shadow-root": parsedMarkup(({ strike }) => `<div><template shadowrootmode="open">${image(strike)}</template></div>`),
  "shadow-style": parsedMarkup(
    ({ hit }) =>
      `<div><template shadowrootmode="open"><style>:host{background:url(${hit()});display:block}</style>x</template></div>`,
  ),
  "template-and-clone": parsedMarkup(
    ({ strike }) =>
      `<template id="t">${image(strike)}</template><script>document.body.append(t.content.cloneNode(true))</script>`,
  ),
  "noscript-content": parsedMarkup(({ hit }) => `<noscript><img src="${hit()}"></noscript><img src="${hit("after")}">`),
  "table-fostering": markup(({ strike }) => `<table><tr>${image(strike)}<td>x</td></tr></table>`),
  "details-in-quote": markup(
    ({ strike }) => `<blockquote><details open><summary>${image(strike)}</summary></details></blockquote>`,
  ),
  "cdata-in-svg": markup(({ strike }) => `<svg><desc><![CDATA[x]]></desc></svg>${image(strike)}`),
  "processing-instruction": markup(({ strike }) => `<?xml version="1.0"?>${image(strike)}`),
  declaration: markup(({ strike }) => `<!ENTITY x "y">${image(strike)}`),
  "plaintext-never-ends": markup(({ strike }) => `${image(strike)}<plaintext><p>x`),
  "fenced-frame": markup(({ hit }) => `<fencedframe src="${hit()}"></fencedframe><img src="${hit("beside")}">`),
});
