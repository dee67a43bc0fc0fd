import { expect, test } from "bun:test";
import { fadedColours } from "./style-sheets.ts";
import { stylesOf } from "./styles.ts";

const inClasses = (classes: string): string => `export default () => <p className="${classes}" />`;

test("has the rules of the classes in use, wherever they are written, and of no other", async () => {
  const styles = await stylesOf(
    `const tone = { good: "text-green-700" }; ${inClasses("flex md:p-[7px] hover:underline w-1/2 not-a-class")}`,
    [],
  );
  for (const rule of [".flex {", ".md\\:p-\\[7px\\] {", ".hover\\:underline", ".w-1\\/2 {", ".text-green-700 {"])
    expect(styles).toContain(rule);
  for (const rule of ["not-a-class", ".grid {", "--color-red-500"]) expect(styles).not.toContain(rule);
});

test("a document without classes has no styles, with any words", async () => {
  expect(await stylesOf('export default () => <p style={{ display: "flex" }}>hidden block</p>', [])).toBe("");
  expect(await stylesOf(inClasses("mine yours"), [])).toBe("");
});

test("a component brings its classes and those of what it is made of, in one order with the document's", async () => {
  const styles = await stylesOf("export default () => null", ["@/components/ui/alert-dialog"]);
  expect(styles).toContain(".fixed {"); // its own
  expect(styles).toContain(".bg-primary {"); // of its buttons
  expect(styles?.match(/@layer utilities \{/g)).toHaveLength(1);
});

test("dark styles follow the reader, unless the document names the class that switches them", async () => {
  const preferred = "@media (prefers-color-scheme: dark)";
  expect(await stylesOf(inClasses("dark:p-1"), [])).toContain(preferred);
  expect(await stylesOf(`const on = "dark"; ${inClasses("dark:p-1")}`, [])).not.toContain(preferred);
  expect(await stylesOf(inClasses("p-1"), [])).not.toContain(preferred);
});

test("a document in the colours of the theme follows the reader, unless it has colours for a light page as well", async () => {
  const preferred = "@media (prefers-color-scheme: dark)";
  for (const classes of ["bg-background text-foreground", "hover:bg-card/80 text-red-500", "text-muted-foreground"]) {
    expect(await stylesOf(inClasses(classes), [])).toContain(preferred);
  }
  for (const classes of [
    "bg-background text-gray-900",
    "bg-card md:bg-white",
    "text-foreground bg-[#fff]",
    "bg-mine",
  ]) {
    expect(await stylesOf(inClasses(`p-1 ${classes}`), [])).not.toContain(preferred);
  }
  expect(await stylesOf(`const on = "dark"; ${inClasses("bg-background")}`, [])).not.toContain(preferred);
});

test("colours can be faded as in version 3, and are left alone where nothing fades them", async () => {
  expect(await stylesOf(inClasses("bg-black bg-opacity-50"), [])).toContain(
    "background-color: color-mix(in oklab, var(--color-black) var(--plinth-bg-opacity), transparent);",
  );
  const plain = await stylesOf(inClasses("bg-black"), []);
  expect(plain).toContain("background-color: var(--color-black);");
  expect(plain).not.toContain("--plinth-");
  expect(fadedColours(" color: var(--color-a);", ["text-opacity-5"])).toContain("color-mix(");
  expect(fadedColours(" background-color: var(--color-a);", ["text-opacity-5"])).not.toContain("color-mix(");
});

test.each([
  "content-['</style><script>alert(1)</script>']",
  "bg-[url(</style><script>)]",
  "[--x:</style>]",
  "before:content-['</STYLE']",
  "[&_</style>]:p-1",
  "[</style>:red]",
])("nothing in a class ends the style element: %s", async (name) => {
  const styles = await stylesOf(`export default () => <p className={\`flex ${name}\`} />`, []);
  expect(styles).toContain(".flex {");
  expect(styles).not.toMatch(/<\//);
});

test("a class opens no file and asks for none", async () => {
  const names = ["[@import_'/etc/passwd']:p-1", "[@plugin_'/x']:p-1", "[@config_'/x']:p-1", "theme(--x)", "@apply"];
  expect(await stylesOf(inClasses(`flex ${names.join(" ")}`), [])).toContain(".flex {");
});

test("words beyond the bound are not looked at, and more than 1 MiB of styles is too much", async () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `w-[${index}px]`).join(" ");
  const rules = (await stylesOf(inClasses(many), []))?.match(/^ {2}\.w-/gm) ?? [];
  expect(rules.length).toBeWithin(19_900, 20_001); // the code's own words count as well
  const long = Array.from({ length: 9_000 }, (_, index) => `w-[calc(${"1px+".repeat(30)}${index}px)]`).join(" ");
  expect(await stylesOf(inClasses(long), [])).toBeNull();
}, 30_000);

test.each(["a-[", "hover:", "[&_p]:", "p-[(", "a-['", '"a-["'])(
  "a class made of many %s ends, and takes nothing else along",
  async (part) => {
    const styles = await stylesOf(`export default () => <p className={\`flex ${part.repeat(10_000)}\`} />`, []);
    expect(styles).toContain(".flex {");
  },
  60_000,
);
