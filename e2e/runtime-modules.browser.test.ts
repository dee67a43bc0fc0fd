// Each library that jsx documents import does a typical thing in Chromium, in its frame and under its real policy. Some of
// them in each run; `TEST_SAMPLES=all bun run test e2e/runtime-modules` has all.
import { expect, setDefaultTimeout, test } from "bun:test";

import { jsxFrames } from "./harness/jsx-frames.ts";
import { hung } from "./harness/process.ts";
import { sample, sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(2 * hung);

// WebGL without a graphics card.
const show = jsxFrames(["--enable-unsafe-swiftshader"]);

/** A document that shows what `work` gives, as JSON, in `<output>`. */
const giving = (imports: string, work: string) => `import { useEffect, useState } from "react";
${imports}
export default function App() {
  const [given, setGiven] = useState(null);
  useEffect(() => {
    Promise.resolve((async () => { ${work} })()).then((value) => setGiven(JSON.stringify(value)), (error) => setGiven(String(error)));
  }, []);
  return given === null ? null : <output>{given}</output>;
}`;

const libraries: [name: string, imports: string, work: string, expected: unknown][] = [
  [
    "d3",
    'import * as d3 from "d3"; import { scaleBand } from "d3-scale";',
    `const rows = d3.csvParse("name,n\\nada,3\\ngrace,4", d3.autoType);
     const x = d3.scaleLinear([0, 10], [0, 100]);
     const svg = d3.create("svg"); svg.selectAll("rect").data(rows).join("rect").attr("width", (row) => x(row.n));
     return [d3.sum(rows, (row) => row.n), svg.selectAll("rect").nodes().map((node) => node.getAttribute("width")), scaleBand(["a", "b"], [0, 10])("b")];`,
    [7, ["30", "40"], 5],
  ],
  [
    "lodash",
    'import _, { groupBy } from "lodash"; import debounce from "lodash/debounce"; import { chunk } from "lodash-es";',
    `const called = await new Promise((resolve) => debounce(resolve, 1)("late"));
     return [groupBy([1, 2, 3], (n) => (n % 2 ? "odd" : "even")), _.chain([3, 1]).sortBy().value(), called, chunk([1, 2, 3], 2), _.get({ a: { b: 1 } }, "a.b")];`,
    [{ odd: [1, 3], even: [2] }, [1, 3], "late", [[1, 2], [3]], 1],
  ],
  [
    "date-fns",
    'import { addDays, format, formatDistance, parseISO } from "date-fns"; import { de } from "date-fns/locale";',
    `const day = parseISO("2024-02-28");
     return [format(addDays(day, 1), "d. MMMM yyyy", { locale: de }), formatDistance(day, addDays(day, 3))];`,
    ["29. Februar 2024", "3 days"],
  ],
  [
    "mathjs",
    'import { evaluate, derivative, matrix, det, unit, create, all } from "mathjs"; import * as math from "mathjs";',
    `return [evaluate("sqrt(16) + a", { a: 1 }), derivative("x^2", "x").toString(), det(matrix([[1, 2], [3, 4]])),
       unit("5 cm").to("mm").toNumber(), create(all).compile("f(x) = x^2; f(3)").evaluate().entries, math.mean(1, 3)];`,
    [5, "2 * x", -2, 50, [9], 2],
  ],
  [
    "papaparse, in a worker as well",
    'import Papa from "papaparse";',
    `const { data } = Papa.parse("a,b\\n1,2", { header: true, dynamicTyping: true });
     const late = await new Promise((complete, error) => Papa.parse("x\\n7", { worker: true, complete, error }));
     return [data, late.data, Papa.unparse([{ a: 1, b: "x,y" }])];`,
    [[{ a: 1, b: 2 }], [["x"], ["7"]], 'a,b\r\n1,"x,y"'],
  ],
  [
    "zustand",
    'import { create } from "zustand"; import { devtools, persist } from "zustand/middleware"; import { useShallow } from "zustand/shallow";',
    `const useStore = create(devtools((set) => ({ n: 1, more: () => set((state) => ({ n: state.n + 1 })) })));
     useStore.getState().more();
     return [useStore.getState().n, typeof persist, typeof useShallow];`,
    [2, "function", "function"],
  ],
  [
    "clsx, tailwind-merge and class-variance-authority",
    'import clsx from "clsx"; import { twMerge } from "tailwind-merge"; import { cva } from "class-variance-authority"; import { cn } from "@/lib/utils";',
    `const look = cva("base", { variants: { size: { s: "p-1", l: "p-8" } }, defaultVariants: { size: "s" } });
     return [clsx("a", { b: true, c: false }), twMerge("p-2 p-4"), look({ size: "l" }), cn("px-2", false && "x", "px-4")];`,
    ["a b", "p-4", "base p-8", "px-4"],
  ],
  [
    "three and what is added to it",
    `import * as THREE from "three"; import { OrbitControls } from "three/addons/controls/OrbitControls.js";
     import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader"; import { EffectComposer } from "three/addons/postprocessing/EffectComposer.js";`,
    `const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
     renderer.setSize(32, 32);
     document.body.append(renderer.domElement);
     const scene = new THREE.Scene();
     const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 10);
     camera.position.z = 2;
     scene.add(new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial({ color: 0xff0000 })));
     const controls = new OrbitControls(camera, renderer.domElement);
     controls.update();
     renderer.render(scene, camera);
     const gl = renderer.getContext();
     const pixel = new Uint8Array(4);
     gl.readPixels(16, 16, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
     return [[...pixel], typeof new GLTFLoader().parse, typeof EffectComposer];`,
    [[255, 0, 0, 255], "function", "function"],
  ],
  [
    "react and react-dom",
    'import { createRoot } from "react-dom/client"; import { createPortal } from "react-dom"; import React from "react";',
    `const host = document.createElement("div");
     await new Promise((shown) => createRoot(host).render(<p ref={shown}>made</p>));
     return [host.textContent, typeof createPortal, React.useState === useState];`,
    ["made", "function", true],
  ],
  [
    "xlsx",
    'import * as XLSX from "xlsx";',
    `const book = XLSX.utils.book_new();
     XLSX.utils.book_append_sheet(book, XLSX.utils.json_to_sheet([{ a: 1, b: "x" }]), "First");
     const read = XLSX.read(XLSX.write(book, { type: "array", bookType: "xlsx" }));
     return [read.SheetNames, XLSX.utils.sheet_to_json(read.Sheets.First)];`,
    [["First"], [{ a: 1, b: "x" }]],
  ],
  [
    "jspdf, html2canvas, html2pdf.js and html-to-image",
    `import jsPDF from "jspdf"; import html2canvas from "html2canvas"; import html2pdf from "html2pdf.js";
     import { toPng } from "html-to-image";`,
    `const box = document.createElement("div");
     box.style.cssText = "width:40px;height:30px;background:#ff0000";
     document.body.append(box);
     const canvas = await html2canvas(box, { scale: 2 });
     const pixel = [...canvas.getContext("2d").getImageData(40, 30, 1, 1).data];
     const pdf = new jsPDF();
     pdf.text("Hello", 10, 10);
     pdf.addImage(canvas.toDataURL("image/png"), "PNG", 10, 20, 40, 30);
     const page = new jsPDF({ unit: "px" });
     await page.html(box, { width: 40, windowWidth: 40 });
     const whole = await html2pdf().set({ margin: 1 }).from(box).outputPdf("blob");
     return [canvas.width, canvas.height, pixel, pdf.output().slice(0, 5), page.output().includes("/Image"),
       whole.type, (await toPng(box)).slice(0, 15)];`,
    [80, 60, [255, 0, 0, 255], "%PDF-", true, "application/pdf", "data:image/png;"],
  ],
  [
    "plotly.js, under the names of its builds",
    `import Plotly from "plotly.js-dist-min"; import * as All from "plotly.js-basic-dist-min";`,
    `const host = document.createElement("div");
     document.body.append(host);
     await Plotly.newPlot(host, [{ x: [1, 2, 3], y: [2, 6, 3], type: "scatter" }], { width: 300, height: 200 });
     const lines = host.querySelectorAll(".scatterlayer .js-line").length;
     await All.react(host, [{ x: ["a", "b"], y: [1, 2], type: "bar" }], { width: 300, height: 200 });
     const picture = await All.toImage(host, { format: "png", width: 100, height: 80 });
     return [lines, host.querySelectorAll(".barlayer .point").length, picture.slice(0, 15)];`,
    [1, 2, "data:image/png;"],
  ],
];

test.each(sampleWithFirst(libraries, 4, testRandom("runtime modules")))(
  "%s",
  async (_name, imports, work, expected) => {
    const { frame, complaints } = await show(giving(imports, work));
    expect(JSON.parse(await frame.locator("output").innerText())).toEqual(expected);
    expect(await complaints()).toEqual([]);
  },
);

test("recharts draws, and its tooltip follows the pointer", async () => {
  const { frame, complaints } = await show(`import { LineChart, Line, BarChart, Bar, PieChart, Pie, XAxis, YAxis,
    CartesianGrid, Tooltip, Legend, ResponsiveContainer } from "recharts";
  const data = [{ name: "Mon", n: 3 }, { name: "Tue", n: 8 }, { name: "Wed", n: 5 }];
  export default () => <>
    <ResponsiveContainer width="100%" height={200}>
      <LineChart data={data}><CartesianGrid /><XAxis dataKey="name" /><YAxis /><Tooltip /><Legend /><Line dataKey="n" /></LineChart>
    </ResponsiveContainer>
    <BarChart width={300} height={150} data={data}><Bar dataKey="n" /></BarChart>
    <PieChart width={200} height={200}><Pie data={data} dataKey="n" nameKey="name" /></PieChart>
  </>`);
  await frame.locator(".recharts-line-curve").first().waitFor();
  expect(await frame.locator(".recharts-line-curve").getAttribute("d")).toMatch(/^M[\d.,]+L[\d.,]+L/);
  await frame.locator(".recharts-bar-rectangle path").nth(2).waitFor();
  await frame.locator(".recharts-pie-sector path").nth(2).waitFor();
  await frame.locator(".recharts-wrapper").first().hover();
  await frame.locator(".recharts-tooltip-wrapper").first().getByText("n : 8").waitFor();
  expect(await complaints()).toEqual([]);
});

test("lucide-react draws icons by each of their names, and those of marks it gave up", async () => {
  const { frame, complaints } =
    await show(`import { Camera, HomeIcon, LucideHome, Github, AlertTriangle } from "lucide-react";
  export default () => <main>{[Camera, HomeIcon, LucideHome, Github, AlertTriangle].map((Icon, i) => <Icon key={i} size={32} color="red" />)}</main>`);
  await frame.locator("svg").nth(4).waitFor();
  const drawn = await frame
    .locator("svg")
    .evaluateAll((icons) => icons.map((icon) => icon.getBoundingClientRect().width));
  expect(drawn).toEqual([32, 32, 32, 32, 32]);
  expect(await frame.locator("svg:not(:has(path, circle, rect, line))").count()).toBe(0);
  expect(await complaints()).toEqual([]);
});

test.each(sample(["motion/react", "framer-motion"], 1, testRandom("runtime modules", "motion")))(
  "%s animates in and out",
  async (name) => {
    const { frame, complaints } = await show(`import { useState } from "react";
  import { AnimatePresence, motion } from "${name}";
  export default function App() {
    const [open, setOpen] = useState(true);
    return <><button onClick={() => setOpen(!open)}>Toggle</button>
      <AnimatePresence>{open && <motion.p initial={{ opacity: 0, x: 0 }} animate={{ opacity: 1, x: 40 }} exit={{ opacity: 0 }} transition={{ duration: 0.1 }}>moved</motion.p>}</AnimatePresence></>;
  }`);
    const moved = frame.getByText("moved");
    await moved.waitFor();
    await frame.waitForFunction(() => document.querySelector("p")?.style.transform === "translateX(40px)");
    await frame.getByRole("button").click();
    await moved.waitFor({ state: "detached" });
    expect(await complaints()).toEqual([]);
  },
);

const routers = [
  [
    "BrowserRouter of react-router-dom",
    `import { BrowserRouter as Router, Routes, Route, Link, useParams, useNavigate, useLocation } from "react-router-dom";
     const Item = () => { const { id } = useParams(); const go = useNavigate(); return <><h1>Item {id}</h1><button onClick={() => go(-1)}>Back</button></>; };
     const Where = () => <output>{useLocation().pathname}</output>;
     export default () => <Router basename="/app"><Where />
       <Routes><Route path="/" element={<Link to="/items/7">Open</Link>} /><Route path="/items/:id" element={<Item />} /></Routes>
     </Router>;`,
  ],
  [
    "createBrowserRouter of react-router",
    `import { createBrowserRouter, RouterProvider, Link, Outlet, useLoaderData, useNavigate, useLocation } from "react-router";
     const Item = () => { const id = useLoaderData(); const go = useNavigate(); return <><h1>Item {id}</h1><button onClick={() => go(-1)}>Back</button></>; };
     const Root = () => <><output>{useLocation().pathname}</output><Outlet /></>;
     const router = createBrowserRouter([{ path: "/", element: <Root />, children: [
       { index: true, element: <Link to="/items/7">Open</Link> },
       { path: "items/:id", element: <Item />, loader: ({ params }) => params.id },
     ] }], { window });
     export default () => <RouterProvider router={router} />;`,
  ],
  [
    "HashRouter",
    `import { HashRouter, Routes, Route, NavLink, useParams, useNavigate, useLocation } from "react-router-dom";
     const Item = () => { const { id } = useParams(); const go = useNavigate(); return <><h1>Item {id}</h1><button onClick={() => go(-1)}>Back</button></>; };
     const Where = () => <output>{useLocation().pathname}</output>;
     export default () => <HashRouter><Where />
       <Routes><Route path="/" element={<NavLink to="items/7">Open</NavLink>} /><Route path="/items/:id" element={<Item />} /></Routes>
     </HashRouter>;`,
  ],
  [
    "next/link and next/navigation",
    `import Link from "next/link"; import { usePathname, useRouter } from "next/navigation";
     export default function Page() {
       const path = usePathname(); const router = useRouter();
       return <><output>{path}</output>{path === "/" ? <Link href="/items/7">Open</Link>
         : <><h1>Item {path.split("/").at(-1)}</h1><button onClick={() => router.back()}>Back</button></>}</>;
     }`,
  ],
] as const;

test.each(sample(routers, 1, testRandom("runtime modules", "routers")))(
  "%s: a link and back, in memory",
  async (_name, source) => {
    const { frame, complaints } = await show(source);
    const before = frame.url();
    await frame.getByRole("link", { name: "Open" }).click();
    await frame.getByRole("heading", { name: "Item 7" }).waitFor();
    expect(await frame.locator("output").innerText()).toBe("/items/7");
    await frame.getByRole("button", { name: "Back" }).click();
    await frame.getByRole("link", { name: "Open" }).waitFor();
    expect(await frame.locator("output").innerText()).toBe("/");
    expect(frame.url()).toBe(before);
    expect(await complaints()).toEqual([]);
  },
);

test("next/image, next/dynamic, next/head and next-themes do in a document what they do in a site", async () => {
  const { frame, complaints } = await show(`import Image from "next/image"; import dynamic from "next/dynamic";
  import Head from "next/head"; import { ThemeProvider, useTheme } from "next-themes";
  const pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
  const Chart = dynamic(() => import("recharts").then(({ BarChart }) => BarChart), { ssr: false, loading: () => <i>Loading</i> });
  const Switch = () => { const { setTheme } = useTheme(); return <button className="bg-white dark:bg-black" onClick={() => setTheme("dark")}>Dark</button>; };
  export default () => <ThemeProvider attribute="class" defaultTheme="light"><Head><title>Told</title></Head><Switch />
    <Image src={pixel} alt="A pixel" width={20} height={10} priority /><Chart width={100} height={50} data={[]} /></ThemeProvider>`);
  await frame.locator(".recharts-wrapper").waitFor();
  const image = frame.getByRole("img", { name: "A pixel" });
  expect([await image.getAttribute("width"), await image.getAttribute("height")]).toEqual(["20", "10"]);
  await frame.waitForFunction(() => document.title === "Told");
  await frame.getByRole("button").click();
  await frame.waitForFunction(() => document.documentElement.classList.contains("dark"));
  expect(await frame.getByRole("button").evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
    "rgb(0, 0, 0)",
  );
  expect(await complaints()).toEqual([]);
});

test("react-markdown shows tables with remark-gfm", async () => {
  const { frame, complaints } = await show(`import Markdown from "react-markdown"; import remarkGfm from "remark-gfm";
  export default () => <Markdown remarkPlugins={[remarkGfm]}>{"# Title &copy;\\n\\n| a | b |\\n|---|---|\\n| 1 | ~~2~~ |"}</Markdown>`);
  await frame.getByRole("heading", { name: "Title ©" }).waitFor();
  expect(await frame.locator("td del").innerText()).toBe("2");
  expect(await complaints()).toEqual([]);
});

test("chart.js and react-chartjs-2 draw, with what is registered or all of it", async () => {
  const { frame, complaints } = await show(`import { Chart as ChartJS, ArcElement, Tooltip } from "chart.js";
  import Auto from "chart.js/auto"; import { Doughnut, Bar } from "react-chartjs-2";
  ChartJS.register(ArcElement, Tooltip);
  const data = { labels: ["a", "b"], datasets: [{ data: [1, 2], backgroundColor: "#ff0000" }] };
  export default () => <main className="w-60"><Doughnut data={data} options={{ animation: false }} />
    <Bar data={data} options={{ animation: false }} /><output>{String(Auto === ChartJS)} {Auto.version}</output></main>`);
  await frame.locator("canvas").nth(1).waitFor();
  await frame.waitForFunction(() =>
    [...document.querySelectorAll("canvas")].every((canvas) =>
      canvas
        .getContext("2d")
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some((value) => value === 255),
    ),
  );
  expect(await frame.locator("output").innerText()).toStartWith("true 4.");
  expect(await complaints()).toEqual([]);
});

test("react-plotly.js draws and follows its props", async () => {
  const { frame, complaints } = await show(`import Plot from "react-plotly.js";
  export default function App() {
    const [y, setY] = useState([1, 2, 3]);
    return <><button onClick={() => setY([3, 2])}>Fewer</button>
      <Plot data={[{ x: [1, 2, 3], y, type: "bar" }]} layout={{ width: 300, height: 200, title: { text: "Bars" } }} /></>;
  }`);
  await frame.locator(".barlayer .point").nth(2).waitFor();
  await frame.getByRole("button", { name: "Fewer" }).click();
  await frame.locator(".barlayer .point").nth(2).waitFor({ state: "detached" });
  expect(await complaints()).toEqual([]);
});
