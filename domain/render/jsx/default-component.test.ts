import { expect, test } from "bun:test";
import { parseSync } from "oxc-parser";

import { likelyComponent } from "./default-component.ts";

test.each([
  ["function App() {} function Later() {}", "App"],
  ["export function Card() {} export const App = () => null", "App"],
  ["export function Card() {} function Part() {}", "Card"],
  ["export function Card() {} export function Page() {} function Part() {}", "Part"],
  ["const Card = () => null, Page = function () {}, Part = class {}", "Part"],
  ["const Card = React.memo(f), Page = forwardRef(f), Colours = list(f)", "Page"],
  ["const Card = () => null, Size = 1", "Card"],
  ["const card = () => null; function page() {} let Late", null],
])("a module without a default export: %s shows %p", (source, shown) =>
  expect(likelyComponent(parseSync("a.jsx", source).program)).toBe(shown),
);
