import { expect, test } from "bun:test";

import { IMPORTABLE } from "./jsx-modules.ts";
import { ALIASES, canonicalName, isImportable } from "./module-aliases.ts";

test.each([
  ["react", "react"],
  ["react-router-dom", "react-router"],
  ["plotly.js-dist-min", "plotly.js"],
  ["plotly.js/dist/plotly.min.js", "plotly.js"],
  ["chart.js/auto", "chart.js/auto"],
  ["lodash-es", "lodash"],
  ["lodash-es/debounce.js", "lodash/debounce"],
  ["lodash/debounce.js", "lodash/debounce"],
  ["three/examples/jsm/controls/OrbitControls.js", "three/addons/controls/OrbitControls"],
  ["three/addons/libs/stats.module.js", "three/addons/libs/stats.module"],
  ["next/link.js", "next/link"],
  ["@/components/ui/card.jsx", "@/components/ui/card"],
  ["~/components/ui/card", "@/components/ui/card"],
  ["../../components/ui/card.tsx", "@/components/ui/card"],
  ["./ui/button", "@/components/ui/button"],
  ["src/lib/utils.ts", "@/lib/utils"],
  ["../hooks/use-toast", "@/hooks/use-toast"],
])("%s is %s", (written, name) => {
  expect(canonicalName(written)).toBe(name);
  expect(isImportable(written)).toBeTrue();
});

test.each([
  ...["./card", "ui/card", "@/components/ui/clock", "./lib/other", "next/server", "three/src/Three.js", "react.js"],
  ...["@plinth/mount", "react/jsx-runtime", "__proto__", "constructor", "", "https://evil.test/ui/card", "/ui/card"],
  ...["@/components/ui/card?x", "@/components/ui/../card"],
])("%s is no module", (written) => {
  expect(canonicalName(written)).toBe(written);
  expect(isImportable(written)).toBeFalse();
});

test("every alias is of a module, and is not one itself", () => {
  for (const [name, others] of Object.entries(ALIASES)) {
    expect(IMPORTABLE).toContain(name);
    for (const other of others) expect(IMPORTABLE).not.toContain(other);
  }
});

test("a long name is looked at once", () => {
  const started = performance.now();
  for (const part of ["../", "./a/", "ui/", "@/ui", "a.js"]) expect(isImportable(part.repeat(500_000))).toBeFalse();
  expect(performance.now() - started).toBeLessThan(2_000);
});
