// The colours of diagrams in both schemes, as mermaid's base theme asks for them; the same palette as palette.css,
// written out since mermaid reckons with colours and can't reckon with a custom property.

type Scheme = "light" | "dark";

const INK = {
  light: {
    ground: "#faf9f6",
    surface: "#ffffff",
    sunken: "#f1efea",
    line: "#8c877b",
    text: "#1b1a17",
    muted: "#5f5b52",
  },
  dark: {
    ground: "#131210",
    surface: "#1b1a17",
    sunken: "#0e0d0c",
    line: "#7d786d",
    text: "#efede7",
    muted: "#aba69b",
  },
} as const;

/** Grounds that text stands on. */
const TINTS = {
  light: ["#f5dfd5", "#dce7f1", "#e0ead7", "#eae1f3", "#f3e8cc", "#d7e9e6", "#f3dde6", "#e8e4db"],
  dark: ["#55281a", "#22384c", "#2b3d24", "#3d2f52", "#4b3a15", "#1d423e", "#4c2639", "#36332d"],
} as const;

/** Lines and bars. */
const STROKES = {
  light: ["#b93815", "#2a5a8a", "#3a6a2c", "#6a479c", "#80560a", "#0f635d", "#8f2d60", "#5f5b52"],
  dark: ["#ff8a5c", "#8ab6e0", "#9ac489", "#c2a8ea", "#e2b662", "#7fcdc3", "#ea9fc4", "#aba69b"],
} as const;

export function diagramColours(scheme: Scheme): Record<string, unknown> {
  const { ground, surface, sunken, line, text, muted } = INK[scheme];
  const [accent, note] = STROKES[scheme];
  const tints = TINTS[scheme];
  return {
    background: ground,
    primaryColor: surface,
    primaryTextColor: text,
    primaryBorderColor: line,
    secondaryColor: tints[7],
    secondaryTextColor: text,
    tertiaryColor: sunken,
    tertiaryTextColor: text,
    tertiaryBorderColor: line,
    lineColor: muted,
    textColor: text,
    titleColor: text,
    edgeLabelBackground: ground,
    noteBkgColor: tints[4],
    noteTextColor: text,
    noteBorderColor: line,
    sectionBkgColor: sunken,
    altSectionBkgColor: ground,
    sectionBkgColor2: sunken,
    excludeBkgColor: sunken,
    gridColor: line,
    taskBkgColor: tints[1],
    taskBorderColor: note,
    activeTaskBkgColor: tints[2],
    activeTaskBorderColor: STROKES[scheme][2],
    doneTaskBkgColor: tints[7],
    doneTaskBorderColor: line,
    critBkgColor: tints[0],
    critBorderColor: accent,
    todayLineColor: accent,
    vertLineColor: note,
    taskTextClickableColor: text,
    rowOdd: surface,
    rowEven: sunken,
    quadrantPointFill: accent,
    pieOpacity: "1",
    pieStrokeColor: ground,
    pieOuterStrokeColor: ground,
    pieOuterStrokeWidth: "0",
    pieTitleTextSize: "16px",
    pieSectionTextSize: "14px",
    pieLegendTextSize: "14px",
    archEdgeColor: muted,
    archEdgeArrowColor: muted,
    archGroupBorderColor: line,
    xyChart: { backgroundColor: ground, plotColorPalette: STROKES[scheme].join(",") },
    radar: { graticuleColor: line },
    useGradient: false,
    dropShadow: "none",
    ...series("pie", 1, 12, tints),
    ...series("cScale", 0, 12, tints),
    ...series("cScaleInv", 0, 12, STROKES[scheme]),
    ...series("cScaleLabel", 0, 12, [text]),
    ...series("fillType", 0, 8, tints),
    ...series("git", 0, 8, STROKES[scheme]),
    ...series("gitBranchLabel", 0, 8, [ground]),
    commitLabelColor: text,
    commitLabelBackground: ground,
  };
}

/** `<name><from>` and so on, each with the next colour, around and around. */
function series(name: string, from: number, count: number, colours: readonly string[]): Record<string, string> {
  const entries = Array.from({ length: count }, (_, index) => [
    name + String(from + index),
    colours[index % colours.length],
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
