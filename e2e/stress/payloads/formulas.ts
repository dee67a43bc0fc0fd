// KaTeX commands that create links, images, classes, ids and styles. The control trusts them.
import { family, markdown } from "./payload.ts";

const formula = (tex: (hit: string) => string) =>
  markdown(({ hit }) => `Text $${tex(hit())}$ text.`, { needs: "katex" });
const pressed = (tex: (strike: string) => string) =>
  markdown(({ strike }) => `$$${tex(encodeURIComponent(strike).replaceAll("%", "\\%"))}$$`, {
    needs: "katex",
    pressed: true,
  });

export const formulas = family("formulas", {
  "link-script": pressed((strike) => `\\href{javascript:${strike}}{Read\\ on}`),
  "address-script": pressed((strike) => `\\url{javascript:${strike}}`),
  "link-case": pressed((strike) => `\\href{JaVaScRiPt:${strike}}{Read\\ on}`),
  image: formula((hit) => `\\includegraphics[height=1em]{${hit}}`),
  "image-sized": formula((hit) => `\\includegraphics[height=1em,totalheight=1em,width=1em,alt=x]{${hit}}`),
  "image-in-fraction": formula((hit) => `\\frac{\\includegraphics{${hit}}}{2}`),
  "image-by-macro": formula((hit) => `\\def\\x{\\includegraphics{${hit}}}\\x`),
  "style-background": formula((hit) => `\\htmlStyle{background:url(${hit})}{x}`),
  "style-list": formula((hit) => `\\htmlStyle{display:list-item;list-style-image:url(${hit})}{x}`),
  "id-of-global": formula((hit) => `\\htmlId{config}{x} \\includegraphics{${hit}}`),
  "class-of-ours": formula((hit) => `\\htmlClass{markdown toc}{x} \\includegraphics{${hit}}`),
  "data-attribute": formula((hit) => `\\htmlData{src=${hit}}{x} \\htmlStyle{background:url(${hit})}{x}`),
  "style-nested": formula((hit) => `\\sqrt{\\htmlStyle{background-image:url(${hit})}{\\text{x}}}`),
  "style-in-matrix": formula((hit) => `\\begin{matrix}\\htmlStyle{background:url(${hit})}{a} \\end{matrix}`),
  "display-image": markdown(({ hit }) => `$$\n\\includegraphics{${hit()}}\n$$`, { needs: "katex" }),
  "fenced-image": markdown(({ hit }) => `\`\`\`math\n\\includegraphics{${hit()}}\n\`\`\``, { needs: "katex" }),
});
