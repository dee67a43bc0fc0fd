import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { JSX_MODULES, LODASH_PATHS, NEEDS_BROWSER } from "./jsx-modules.ts";
import { gzipped, isText, readRuntime, RUNTIME_DIST, type RuntimeManifest } from "./manifest.ts";
import { buildRuntime } from "./build.ts";
import { moduleSource, namedPart } from "./modules.ts";

const TRANSPILER = new Bun.Transpiler({ loader: "js" });

/** What a document loads for these modules, gzipped: what it is now, and a tenth more. */
const MOST_KIB: [modules: string, most: number][] = [
  ["react", 6],
  ["react react/jsx-runtime @plinth/mount", 80],
  ["recharts", 192],
  ["lucide-react", 235],
  ["d3", 112],
  ["d3-scale", 27],
  ["lodash", 34],
  ["date-fns", 22],
  ["date-fns/locale", 136],
  ["mathjs", 230],
  ["papaparse", 9],
  ["motion/react", 100],
  ["zustand", 6],
  ["zod @hookform/resolvers/zod", 124],
  ["three", 211],
  ["react-router", 84],
  ["next/link next/image next/navigation", 10],
  ["next-themes", 8],
  ["react-markdown remark-gfm", 66],
  ["jspdf", 142],
  ["html2canvas", 7],
  ["html2pdf.js", 190],
  ["xlsx", 176],
  ["react-chartjs-2 chart.js chart.js/auto", 88],
  ["react-plotly.js plotly.js", 1_680],
  ["@/lib/utils", 11],
  ["@radix-ui/react-dialog", 32],
  ["react react/jsx-runtime @plinth/mount @/components/ui/button @/components/ui/card", 99],
  ["react react/jsx-runtime @plinth/mount @/components/ui/sidebar", 142],
  ["react react/jsx-runtime @plinth/mount @/components/ui/chart recharts", 275],
];

/** For the one build of this file; all else is asked of the build that `bun run test` makes before. */
const dist = await mkdtemp(join(tmpdir(), "plinth-runtime-"));
afterAll(() => rm(dist, { recursive: true }));

const manifest = async () => (await Bun.file(join(RUNTIME_DIST, "manifest.json")).json()) as RuntimeManifest;

let built: ReturnType<typeof readRuntime> | undefined;

async function load(name: string): Promise<Record<string, unknown>> {
  built ??= readRuntime();
  const { imports, path, directory } = await built;
  return (await import(join(directory, imports[name]?.slice(path.length) ?? ""))) as Record<string, unknown>;
}

const namespace = (module: Record<string, unknown>, name: string) => module[name] as Record<string, unknown>;

async function scripts(): Promise<{ file: string; text: string }[]> {
  const { directory, files } = await readRuntime();
  const names = files.filter((file) => file.endsWith(".js"));
  return Promise.all(names.map(async (file) => ({ file, text: await readFile(join(directory, file), "utf8") })));
}

test("without a build the reader says how to make one", async () => {
  const error = await readRuntime(join(dist, "missing")).catch((reason: unknown) => reason);
  expect(error).toHaveProperty("message", expect.stringContaining("run `bun runtime/build.ts`"));
});

test("equal sources give the equal build in another process, and the manifest names every file of it", async () => {
  await mkdir(join(dist, "0123456789abcdef"));
  const first = await buildRuntime(dist);
  expect(first).toEqual(await manifest());
  // A former build is removed.
  expect((await readdir(dist)).sort()).toEqual([first.hash, "manifest.json"].sort());
  const runtime = await readRuntime(dist);
  expect(runtime.path).toBe(`/_runtime/${first.hash}/`);
  const compressed = runtime.files.filter(isText).map(gzipped);
  expect((await readdir(runtime.directory)).sort()).toEqual([...runtime.files, ...compressed].sort());
  for (const file of runtime.files.filter(isText)) {
    const bytes = await readFile(join(runtime.directory, gzipped(file)));
    expect(gunzipSync(bytes)).toEqual(await readFile(join(runtime.directory, file)));
  }
  for (const address of Object.values(runtime.imports)) {
    expect(runtime.files).toContain(address.slice(runtime.path.length));
  }
}, 120_000);

test("every module loads, has exactly the names that the manifest tells, and these are its package's", async () => {
  const { exports } = await manifest();
  expect(Object.keys(exports).sort()).toEqual([...JSX_MODULES].sort());
  // The build for browsers of react-markdown needs one, and its build for servers does not.
  const needsBrowser = [...NEEDS_BROWSER, "react-markdown"];
  const { imports, path, directory } = await readRuntime();
  for (const name of needsBrowser) {
    const text = await readFile(join(directory, imports[name]?.slice(path.length) ?? ""), "utf8");
    expect(TRANSPILER.scan(text).exports.sort(), name).toEqual(exports[name] ?? []);
  }
  for (const name of JSX_MODULES.filter((module) => !needsBrowser.includes(module))) {
    expect(Object.keys(await load(name)).sort(), name).toEqual(exports[name] ?? []);
    if (namedPart(name)) continue;
    const original = Object.keys((await import(moduleSource(name))) as object);
    const missing = original.filter((key) => !exports[name]?.includes(key));
    expect(["__esModule", "default", "module.exports"], name).toEqual(expect.arrayContaining(missing));
  }
});

test("names that documents write are there", async () => {
  const { exports } = await manifest();
  const expected: Record<string, string> = {
    react: "default useState useEffect memo Fragment Suspense use useActionState",
    "react-dom/client": "createRoot",
    recharts: "LineChart Line BarChart Bar AreaChart PieChart Pie Cell XAxis YAxis Tooltip Legend ResponsiveContainer",
    "lucide-react": "Home House HomeIcon LucideHome AlertTriangle CheckCircle2 Loader2 X Github TwitterIcon icons",
    d3: "select scaleLinear csvParse line arc forceSimulation json",
    "d3-scale": "scaleBand",
    lodash: "default groupBy debounce chain",
    "lodash/debounce": "default",
    "date-fns": "format parseISO addDays formatDistanceToNow",
    "date-fns/locale": "de enUS",
    mathjs: "evaluate create all matrix",
    papaparse: "default parse unparse",
    motion: "animate",
    "motion/react": "motion AnimatePresence useScroll",
    "framer-motion": "motion AnimatePresence useScroll",
    zustand: "create useStore",
    "zustand/middleware": "persist devtools",
    "zustand/shallow": "useShallow",
    three: "Scene WebGLRenderer Mesh",
    "three/addons/controls/OrbitControls": "OrbitControls",
    clsx: "default clsx",
    "tailwind-merge": "twMerge",
    "class-variance-authority": "cva",
    "radix-ui": "Dialog Slot",
    "@radix-ui/react-slot": "Slot",
    "@radix-ui/react-dialog": "Root Trigger Portal",
    cmdk: "Command",
    sonner: "Toaster toast",
    "embla-carousel-react": "default",
    "react-hook-form": "useForm Controller",
    "@hookform/resolvers/zod": "zodResolver",
    zod: "default z object string",
    "react-router": "BrowserRouter HashRouter MemoryRouter Routes Route Link NavLink Outlet useNavigate RouterProvider",
    "next/link": "default",
    "next/image": "default",
    "next/navigation": "useRouter usePathname useSearchParams useParams redirect notFound",
    "next-themes": "ThemeProvider useTheme",
    "react-markdown": "default",
    "remark-gfm": "default",
    jspdf: "default jsPDF",
    "html2pdf.js": "default",
    html2canvas: "default",
    "html-to-image": "toPng toJpeg",
    xlsx: "read utils write writeFile",
    "chart.js": "Chart CategoryScale registerables",
    "chart.js/auto": "default Chart",
    "react-chartjs-2": "Bar Line Pie Doughnut Chart",
    "plotly.js": "default newPlot react",
    "react-plotly.js": "default",
    "@/lib/utils": "cn",
    "@/hooks/use-mobile": "useIsMobile",
    "@/hooks/use-toast": "useToast toast",
    "@/components/ui/button": "Button buttonVariants",
    "@/components/ui/card": "Card CardHeader CardTitle CardDescription CardAction CardContent CardFooter",
    "@/components/ui/chart": "ChartContainer ChartTooltip ChartTooltipContent ChartLegend ChartLegendContent",
    "@/components/ui/form": "Form FormItem FormLabel FormControl FormDescription FormMessage FormField useFormField",
    "@/components/ui/use-toast": "useToast toast",
  };
  for (const [name, names] of Object.entries(expected)) {
    expect(exports[name], name).toEqual(expect.arrayContaining(names.split(" ")));
  }
});

test("every component is offered, and nothing beside them", async () => {
  const folders = ["ui", "vendor/shadcn/ui"].map((folder) => readdir(join(import.meta.dir, folder)));
  const sources = (await Promise.all(folders)).flat().filter((file) => file.endsWith(".tsx"));
  const offered = JSX_MODULES.flatMap((name) => name.split("@/components/ui/")[1] ?? []);
  expect(sources.sort()).toEqual(offered.map((name) => `${name}.tsx`).sort());
});

test("the functions of lodash are those of its paths", async () => {
  const { exports } = await manifest();
  const functions = Object.entries(await load("lodash")).filter(([name, value]) => {
    return typeof value === "function" && name !== "default" && /^[a-z]/.test(name);
  });
  expect(functions.map(([name]) => name).sort()).toEqual([...LODASH_PATHS]);
  expect(exports["lodash/debounce"]).toEqual(["default"]);
  expect((await load("lodash/chunk"))["default"]).toBe((await load("lodash"))["chunk"]);
});

test("what several modules share is one copy", async () => {
  const react = await load("react");
  expect((react["default"] as Record<string, unknown>)["useState"]).toBe(react["useState"]);
  expect((await load("react/jsx-runtime"))["Fragment"]).toBe(react["Fragment"]);
  expect((await load("motion/react"))["motion"]).toBe((await load("framer-motion"))["motion"]);
  expect((await load("d3-scale"))["scaleLinear"]).toBe((await load("d3"))["scaleLinear"]);
  expect((await load("@radix-ui/react-dialog"))["Root"]).toBe(namespace(await load("radix-ui"), "Dialog")["Root"]);
  for (const mark of ["__CLIENT_INTERNALS_DO_NOT_USE", "rendererPackageName"]) {
    const defining = (await scripts()).filter(({ text }) => new RegExp(`\\b${mark}\\w*[=:]`).test(text));
    expect(defining.length, mark).toBe(1);
  }
});

test("csvParse does as d3 does, without making code from text", async () => {
  const { csvParse } = (await load("d3")) as { csvParse: (text: string) => unknown[] };
  expect([...csvParse("a,b,a\n1,,3\n4")]).toEqual([
    { a: "3", b: "" },
    { a: "", b: "" },
  ]);
  expect([...csvParse('"__proto__",constructor\n1,2')].map((row) => Object.entries(row as object))).toEqual([
    [
      ["__proto__", "1"],
      ["constructor", "2"],
    ],
  ]);
});

test("is React's production build and reaches for nothing outside", async () => {
  for (const { file, text } of await scripts()) {
    expect(text.includes("process.env"), file).toBeFalse();
    // lodash does in template() alone, and only when it is called; zod is told not to (libraries/zod.ts); where there is
    // globalThis, nothing does to find the global object.
    if (file === "lodash.js" || file === "zod.js") continue;
    expect(/new Function\((?!"return this"\))|[^\w.]eval\(/.test(text), file).toBeFalse();
  }
  for (const { file, text } of await scripts())
    for (const { path } of TRANSPILER.scanImports(text)) expect(path, file).toStartWith("./");
});

test("a document loads no more than it imports", async () => {
  const { loads, directory, path } = await readRuntime();
  const sizes: Record<string, number> = {};
  for (const file of await readdir(directory)) {
    sizes[`${path}${file}`] = Bun.gzipSync(await readFile(join(directory, file))).length;
  }
  for (const [modules, most] of MOST_KIB) {
    const files = new Set(modules.split(" ").flatMap((name) => loads[name] ?? []));
    expect(files.size, modules).toBeGreaterThan(0);
    const total = [...files].reduce((sum, file) => sum + (sizes[file] ?? Infinity), 0);
    expect(total / 1024, modules).toBeLessThan(most);
  }
});
