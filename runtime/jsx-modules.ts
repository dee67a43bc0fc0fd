// The modules a jsx document may import.
// The runtime is built from the same list, so that every name here resolves.
import { join } from "node:path";

/** Sorted; a test compares it with the package. */
export const LODASH_PATHS: readonly string[] = (
  "add after ary assign assignIn assignInWith assignWith at attempt before bind bindAll bindKey " +
  "camelCase capitalize castArray ceil chain chunk clamp clone cloneDeep cloneDeepWith cloneWith " +
  "compact concat cond conforms conformsTo constant countBy create curry curryRight debounce deburr " +
  "defaultTo defaults defaultsDeep defer delay difference differenceBy differenceWith divide drop " +
  "dropRight dropRightWhile dropWhile each eachRight endsWith entries entriesIn eq escape escapeRegExp " +
  "every extend extendWith fill filter find findIndex findKey findLast findLastIndex findLastKey first " +
  "flatMap flatMapDeep flatMapDepth flatten flattenDeep flattenDepth flip floor flow flowRight forEach " +
  "forEachRight forIn forInRight forOwn forOwnRight fromPairs functions functionsIn get groupBy gt gte " +
  "has hasIn head identity inRange includes indexOf initial intersection intersectionBy " +
  "intersectionWith invert invertBy invoke invokeMap isArguments isArray isArrayBuffer isArrayLike " +
  "isArrayLikeObject isBoolean isBuffer isDate isElement isEmpty isEqual isEqualWith isError isFinite " +
  "isFunction isInteger isLength isMap isMatch isMatchWith isNaN isNative isNil isNull isNumber " +
  "isObject isObjectLike isPlainObject isRegExp isSafeInteger isSet isString isSymbol isTypedArray " +
  "isUndefined isWeakMap isWeakSet iteratee join kebabCase keyBy keys keysIn last lastIndexOf lowerCase " +
  "lowerFirst lt lte map mapKeys mapValues matches matchesProperty max maxBy mean meanBy memoize merge " +
  "mergeWith method methodOf min minBy mixin multiply negate noConflict noop now nth nthArg omit omitBy " +
  "once orderBy over overArgs overEvery overSome pad padEnd padStart parseInt partial partialRight " +
  "partition pick pickBy property propertyOf pull pullAll pullAllBy pullAllWith pullAt random range " +
  "rangeRight rearg reduce reduceRight reject remove repeat replace rest result reverse round " +
  "runInContext sample sampleSize set setWith shuffle size slice snakeCase some sortBy sortedIndex " +
  "sortedIndexBy sortedIndexOf sortedLastIndex sortedLastIndexBy sortedLastIndexOf sortedUniq " +
  "sortedUniqBy split spread startCase startsWith stubArray stubFalse stubObject stubString stubTrue " +
  "subtract sum sumBy tail take takeRight takeRightWhile takeWhile tap template throttle thru times " +
  "toArray toFinite toInteger toLength toLower toNumber toPairs toPairsIn toPath toPlainObject " +
  "toSafeInteger toString toUpper transform trim trimEnd trimStart truncate unary unescape union " +
  "unionBy unionWith uniq uniqBy uniqWith uniqueId unset unzip unzipWith update updateWith upperCase " +
  "upperFirst values valuesIn without words wrap xor xorBy xorWith zip zipObject zipObjectDeep zipWith"
).split(" ");

/** The theme of the ui components. */
export const UI_THEME = join(import.meta.dir, "ui/theme.css");

/** The module that mounts a document; the import map knows it, a document cannot name it. */
export const MOUNT_MODULE = "@plinth/mount";

const REACT = ["react", "react-dom", "react-dom/client"];

/** What d3 consists of. */
const D3 = [
  ...["array", "axis", "brush", "chord", "color", "contour", "delaunay", "dispatch", "drag", "dsv", "ease", "fetch"],
  ...["force", "format", "geo", "hierarchy", "interpolate", "path", "polygon", "quadtree", "random", "scale"],
  ...["scale-chromatic", "selection", "shape", "time", "time-format", "timer", "transition", "zoom"],
].map((name) => `d3-${name}`);

/** What radix-ui consists of. */
const RADIX = [
  ...["accordion", "alert-dialog", "aspect-ratio", "avatar", "checkbox", "collapsible", "context-menu", "dialog"],
  ...["dropdown-menu", "form", "hover-card", "label", "menubar", "navigation-menu", "popover", "progress"],
  ...["radio-group", "scroll-area", "select", "separator", "slider", "slot", "switch", "tabs", "toast", "toggle"],
  ...["toggle-group", "toolbar", "tooltip", "visually-hidden"],
].map((name) => `@radix-ui/react-${name}`);

/** three's own additions, under the folder `examples/jsm` of its package. */
const THREE_ADDONS = [
  ...["Arcball", "Drag", "FirstPerson", "Fly", "Map", "Orbit", "PointerLock", "Trackball", "Transform"].map(
    (name) => `controls/${name}Controls`,
  ),
  ...["environments/RoomEnvironment", "exporters/GLTFExporter"],
  ...["geometries/ConvexGeometry", "geometries/ParametricGeometry", "geometries/RoundedBoxGeometry"],
  ...["geometries/TextGeometry", "libs/stats.module"],
  ...["lines/Line2", "lines/LineGeometry", "lines/LineMaterial", "lines/LineSegments2"],
  ...["loaders/FontLoader", "loaders/GLTFLoader", "loaders/OBJLoader", "loaders/STLLoader", "loaders/SVGLoader"],
  ...["math/ImprovedNoise", "math/SimplexNoise", "objects/Sky"],
  ...["postprocessing/BokehPass", "postprocessing/EffectComposer", "postprocessing/FilmPass"],
  ...["postprocessing/OutlinePass", "postprocessing/OutputPass", "postprocessing/RenderPass"],
  ...["postprocessing/ShaderPass", "postprocessing/UnrealBloomPass"],
  ...["renderers/CSS2DRenderer", "renderers/CSS3DRenderer", "shaders/FXAAShader"],
  "utils/BufferGeometryUtils",
];

/** The components under `@/components/ui/`: shadcn/ui's in runtime/vendor/shadcn, and the older toasts in runtime/ui. */
const COMPONENTS = [
  "accordion",
  "alert",
  "alert-dialog",
  "aspect-ratio",
  "avatar",
  "badge",
  "breadcrumb",
  "button",
  "button-group",
  "calendar",
  "card",
  "carousel",
  "chart",
  "checkbox",
  "collapsible",
  "command",
  "context-menu",
  "dialog",
  "drawer",
  "dropdown-menu",
  "empty",
  "field",
  "form",
  "hover-card",
  "input",
  "input-group",
  "input-otp",
  "item",
  "kbd",
  "label",
  "menubar",
  "native-select",
  "navigation-menu",
  "pagination",
  "popover",
  "progress",
  "radio-group",
  "resizable",
  "scroll-area",
  "select",
  "separator",
  "sheet",
  "sidebar",
  "skeleton",
  "slider",
  "sonner",
  "spinner",
  "switch",
  "table",
  "tabs",
  "textarea",
  "toast",
  "toaster",
  "toggle",
  "toggle-group",
  "tooltip",
  "use-toast",
];

/** The sources beside the components. */
const BESIDE_COMPONENTS = ["@/lib/utils", "@/hooks/use-mobile", "@/hooks/use-toast"];

/** What the page of modules shows under one heading. */
export interface ModuleGroup {
  title: string;
  names: readonly string[];
}

/** All that a document can import, by its own name; `canonicalName` gives that of other names. */
export const MODULE_GROUPS: readonly ModuleGroup[] = [
  { title: "React", names: REACT },
  {
    title: "Components of shadcn/ui",
    names: [...COMPONENTS.map((name) => `@/components/ui/${name}`), ...BESIDE_COMPONENTS],
  },
  {
    title: "Charts and graphics",
    names: [
      ...["recharts", "chart.js", "chart.js/auto", "chart.js/helpers", "react-chartjs-2", "plotly.js"],
      ...["react-plotly.js", "d3", ...D3, "three", ...THREE_ADDONS.map((path) => `three/addons/${path}`)],
    ],
  },
  { title: "Icons and animation", names: ["lucide-react", "motion", "motion/react", "framer-motion"] },
  {
    title: "Routing and Next.js",
    names: [
      ...["react-router", "next/link", "next/image", "next/navigation", "next/router", "next/dynamic", "next/head"],
      "next-themes",
    ],
  },
  {
    title: "Data and text",
    names: [
      ...["lodash", ...LODASH_PATHS.map((path) => `lodash/${path}`), "date-fns", "date-fns/locale", "mathjs"],
      ...["papaparse", "xlsx", "zod", "react-markdown", "remark-gfm"],
    ],
  },
  { title: "Files and images", names: ["jspdf", "html2pdf.js", "html2canvas", "html-to-image"] },
  {
    title: "State and forms",
    names: ["zustand", "zustand/middleware", "zustand/shallow", "react-hook-form", "@hookform/resolvers/zod"],
  },
  {
    title: "Parts of interfaces",
    names: [
      ...["clsx", "tailwind-merge", "class-variance-authority", "radix-ui", ...RADIX, "cmdk", "sonner", "vaul"],
      ...["embla-carousel-react", "react-day-picker", "input-otp", "react-resizable-panels"],
    ],
  },
];

const FAMILIES = ["d3-", "@radix-ui/react-", "lodash/", "three/addons/"];

/** The same names, a large family of them as one: `d3-*`. */
export const withFamilies = (names: readonly string[]): string[] => [
  ...new Set(
    names.map((name) => {
      const family = FAMILIES.find((start) => name.startsWith(start));
      return family === undefined ? name : `${family}*`;
    }),
  ),
];

/** Those of them that a document names itself. */
export const IMPORTABLE: readonly string[] = MODULE_GROUPS.flatMap(({ names }) => names);

/** The modules served to jsx documents by this instance: those, and one for compiled code. */
export const JSX_MODULES: readonly string[] = [...IMPORTABLE, "react/jsx-runtime"];

/** Modules that look for a browser as soon as they are loaded. */
export const NEEDS_BROWSER: readonly string[] = ["plotly.js", "react-plotly.js", "html2pdf.js"];
