// The output of the jsx compiler is stored by the renderer's version, so it must not change within one version.
import { expect, test } from "bun:test";
import { compileJsxSource } from "./compiler.ts";
import { rendererVersion } from "../version.ts";

const SAMPLES = [
  `import { Heart } from "lucide-react";
import { Card } from "@/components/ui/card";
interface Props { n?: number }
const { useMemo } = React;
export default function App({ n = 1 }: Props) {
  const [count, set] = useState(n);
  return <Card className="flex p-4 dark:bg-black bg-opacity-50">{useMemo(() => count, [count])}<Heart onClick={() => set(2)} /></Card>;
}`,
  "const App = () => <p>{'</script>'}</p>;\nReactDOM.render(<App />, document.getElementById('root'))",
  "export default class extends Component { render() { return <></> } }",
];

/** By version: with another output comes another version, and its digest here in the place of the old one. */
const DIGESTS: Readonly<Record<string, string>> = { "jsx-7": "ed3aa10b6a689e72" };

test("the output is the one of this version: raise rendererVersion.jsx where it has changed on purpose", async () => {
  const outputs = await Promise.all(SAMPLES.map((source) => compileJsxSource(source)));
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(outputs)).digest("hex").slice(0, 16);
  expect<Record<string, string>>({ [rendererVersion.jsx]: digest }).toEqual(DIGESTS);
});
