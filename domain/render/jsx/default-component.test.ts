import { expect, test } from "bun:test";
import { parseSync } from "oxc-parser";

import { shownComponent } from "./default-component.ts";

test.each([
  ["function App() {} function Later() {}", "App"],
  ["export function Card() {} export const App = () => null", "App"],
  ["export function Card() {} function Part() {}", "Card"],
  ["export function Card() {} export function Page() {} function Part() {}", ["Card", "Page"]],
  ["function Card() {} function Page() {} export { Card }", "Card"],
  ["function Card() {} function Page() {} export { Page, Card as Other }", ["Page", "Card"]],
  ["export function Card({ title }) {} export function Page() {}", "Page"],
  ["export function Card(props) {} export function Page({ size = 1, ...rest }) {}", "Page"],
  ["export const Card = memo(({ title }) => null); export const Page = forwardRef((props = {}, ref) => null)", "Page"],
  ["export function Card({ a }) {} export function Page({ b }) {} Page.defaultProps = { b: 1 }", "Page"],
  ["export class Card { render() { return this.props.a } } export class Page { render() {} }", "Page"],
  ["export function Card({ a }) {} export function Page({ b }) {}", ["Card", "Page"]],
  ["export const size = 1, Card = ({ a }) => null, Page = () => null", "Page"],
  ["const Card = () => null, Page = function () {}, Part = class {}", "Part"],
  ["const Card = React.memo(f), Page = forwardRef(f), Colours = list(f)", "Page"],
  ["const Card = () => null, Size = 1", "Card"],
  ["const card = () => null; function page() {} let Late", []],
])("a module without a default export: %s shows %p", (source, shown) =>
  expect(shownComponent(parseSync("a.jsx", source).program)).toEqual(shown),
);

test.each([
  ["interface Props { a: string } export function Page({ c }: { c?: number })", "Page"],
  ["interface Props { a?: string } export function Page(props: Props)", "Page"],
  [
    "type Props = { a?: string } & React.HTMLAttributes<HTMLDivElement>; export const Page: React.FC<Props> = (props) =>",
    "Page",
  ],
  ["type Props = Partial<Other>; export const Page = (props: React.PropsWithChildren<Props>) =>", "Page"],
  ['export const Page = ({ className, ...rest }: React.ComponentProps<"div">) =>', "Page"],
  ["type Props = { a: string }; export const Page: FC<Props> = (props) =>", ["Page", "Card"]],
  ["export const Page = (props: Imported) =>", ["Page", "Card"]],
])("a component's props are required by their types: %s", (source, shown) => {
  const whole = `${source} { return null }\nexport function Card({ a }: { a: number }) { return a }`;
  expect(shownComponent(parseSync("a.tsx", whole).program)).toEqual(shown);
});
