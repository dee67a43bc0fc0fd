// Prototype pollution, in the document itself and sent to the surrounding page. The control's pages merge messages into
// their settings, and load what an empty object names.
import { component, family, script } from "./payload.ts";

const sent = (json: (hit: string) => string) =>
  script(({ hit }) => `parent.postMessage(JSON.parse(${JSON.stringify(json(hit()))}), "*");`);

export const pollution = family("pollution", {
  "own-page": script(({ hit }) => `Object.prototype.src = "${hit()}";`),
  "own-page-defined": script(({ hit }) => `Object.defineProperty(Object.prototype, "src", { value: "${hit()}" });`),
  "own-page-constructor": script(({ hit }) => `({}).constructor.prototype.src = "${hit()}";`),
  "own-page-array": script(({ hit }) => `[].__proto__.__proto__.src = "${hit()}";`),
  "own-page-merge": script(
    ({ hit }) => `
    const merge = (into, from) => { for (const key in from) typeof from[key] === "object" ? merge(into[key] ??= {}, from[key]) : into[key] = from[key]; };
    merge({}, JSON.parse('{"__proto__":{"src":"${hit()}"}}'));`,
  ),
  "own-page-getter": script(({ hit }) => `Object.prototype.__defineGetter__("src", () => "${hit()}");`),
  "sent-proto": sent((hit) => `{"__proto__":{"src":"${hit}"}}`),
  "sent-constructor": sent((hit) => `{"constructor":{"prototype":{"src":"${hit}"}}}`),
  "sent-deep-proto": sent((hit) => `{"a":{"b":{"__proto__":{"src":"${hit}"}}}}`),
  "sent-in-error": sent((hit) => `{"type":"plinth:error","message":"x","__proto__":{"src":"${hit}"}}`),
  "sent-in-blocked": sent(
    (hit) => `{"type":"plinth:blocked","directive":"x","address":{"__proto__":{"src":"${hit}"}}}`,
  ),
  "sent-in-height": sent((hit) => `{"type":"plinth:height","height":{"__proto__":{"src":"${hit}"}}}`),
  "sent-in-array": sent((hit) => `[{"__proto__":{"src":"${hit}"}}]`),
  "then-of-promises": script(
    ({ strike }) => `Object.prototype.then = function () { delete Object.prototype.then; ${strike} }; await {};`,
  ),
  "react-props": component(
    ({ hit }) => `import { useEffect, useState } from "react";
export default function Payload() {
  const [after, setAfter] = useState(false);
  useEffect(() => { Object.prototype.dangerouslySetInnerHTML = { __html: "<img src='${hit()}'>" }; setAfter(true); }, []);
  return <div>{after ? <section key="a" {...{}} /> : null}<i id="after" /></div>;
}`,
    { unproven: "React reads the members that an element has of its own" },
  ),
});
