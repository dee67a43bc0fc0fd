// `@/components/ui/chart`, over recharts
import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type CSSProperties,
  type ReactNode,
  use,
  useId,
} from "react";
import {
  type DefaultLegendContentProps,
  Legend,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  type TooltipPayloadEntry,
} from "recharts";
import { cn } from "./lib/utils.ts";

export type ChartConfig = Record<
  string,
  { label?: ReactNode; icon?: ComponentType } & (
    | { color?: string; theme?: never }
    | { color?: never; theme: { light: string; dark: string } }
  )
>;

const ChartContext = createContext<{ config: ChartConfig } | null>(null);

export function useChart(): { config: ChartConfig } {
  const chart = use(ChartContext);
  if (!chart) throw new Error("useChart must be used within a <ChartContainer />");
  return chart;
}

/** Gives the colours of `config` to what it holds, as `--color-<key>`. */
export function ChartContainer({
  id,
  className,
  children,
  config,
  style,
  ...props
}: ComponentProps<"div"> & { config: ChartConfig; children: ComponentProps<typeof ResponsiveContainer>["children"] }) {
  const own = useId();
  return (
    <ChartContext value={{ config }}>
      <div
        data-slot="chart"
        data-chart={`chart-${id ?? own}`}
        style={{ ...colours(config), ...style }}
        className={cn(
          "flex aspect-video justify-center text-xs [&_.recharts-cartesian-axis-tick-label_text]:fill-muted-foreground [&_.recharts-cartesian-axis-tick-value]:fill-muted-foreground [&_.recharts-cartesian-grid_line[stroke='#ccc']]:stroke-border/50 [&_.recharts-curve.recharts-tooltip-cursor]:stroke-border [&_.recharts-dot[stroke='#fff']]:stroke-transparent [&_.recharts-layer]:outline-hidden [&_.recharts-polar-grid_[stroke='#ccc']]:stroke-border [&_.recharts-radial-bar-background-sector]:fill-muted [&_.recharts-rectangle.recharts-tooltip-cursor]:fill-muted [&_.recharts-reference-line_[stroke='#ccc']]:stroke-border [&_.recharts-sector]:outline-hidden [&_.recharts-sector[stroke='#fff']]:stroke-transparent [&_.recharts-surface]:outline-hidden",
          className,
        )}
        {...props}
      >
        <ResponsiveContainer initialDimension={{ width: 320, height: 200 }}>{children}</ResponsiveContainer>
      </div>
    </ChartContext>
  );
}

function colours(config: ChartConfig): CSSProperties {
  const named = Object.entries(config).flatMap(([key, { color, theme }]) => {
    const value = theme ? `light-dark(${plain(theme.light)}, ${plain(theme.dark)})` : color && plain(color);
    return value ? [[`--color-${key}`, value] as const] : [];
  });
  return Object.fromEntries(named);
}

// The theme's colours were once bare channels, and documents still wrap them: hsl(var(--chart-1)).
function plain(colour: string): string {
  return colour.replace(/^(?:hsl|rgb|oklch)a?\(\s*(var\(--[\w-]+\))\s*\)$/, "$1");
}

/** The palette of `config` as a style element is not needed: ChartContainer sets it. Kept for who renders it. */
export function ChartStyle(_props: { id: string; config: ChartConfig }): ReactNode {
  return null;
}

export const ChartTooltip = Tooltip;
export const ChartLegend = Legend;

type TooltipLook = Partial<
  Pick<TooltipContentProps, "active" | "label" | "labelFormatter" | "formatter" | "labelClassName">
> & {
  payload?: readonly TooltipPayloadEntry[];
  hideLabel?: boolean;
  hideIndicator?: boolean;
  indicator?: "line" | "dot" | "dashed";
  nameKey?: string;
  labelKey?: string;
  color?: string;
};

export function ChartTooltipContent({
  active,
  payload = [],
  className,
  indicator = "dot",
  hideLabel = false,
  hideIndicator = false,
  label,
  labelFormatter,
  labelClassName,
  formatter,
  color,
  nameKey,
  labelKey,
}: TooltipLook & Pick<ComponentProps<"div">, "className">) {
  const { config } = useChart();
  const shown = payload.filter((item) => item.type !== "none");
  const [first] = shown;
  if (!active || !first) return null;

  const labelOfKey = settingOf(config, first, labelKey ?? String(first.dataKey ?? first.name ?? "value"))?.label;
  const text = labelKey === undefined && typeof label === "string" ? (config[label]?.label ?? label) : labelOfKey;
  const heading = labelFormatter ? labelFormatter(text, payload) : text;
  const beside = shown.length === 1 && indicator !== "dot";
  const title = !hideLabel && heading ? <div className={cn("font-medium", labelClassName)}>{heading}</div> : null;

  return (
    <div
      className={cn(
        "grid min-w-[8rem] items-start gap-1.5 rounded-lg border border-border/50 bg-background px-2.5 py-1.5 text-xs text-foreground shadow-xl",
        className,
      )}
    >
      {!beside && title}
      <div className="grid gap-1.5">
        {shown.map((item, index) => {
          const key = String(nameKey ?? item.name ?? item.dataKey ?? "value");
          const setting = settingOf(config, item, key);
          const fill = color ?? textOf(item.payload, "fill") ?? item.color;
          const Icon = setting?.icon;
          const own = formatter && item.value !== undefined && item.name !== undefined;
          return (
            <div
              key={`${String(item.dataKey)}-${index}`}
              className={cn(
                "flex w-full flex-wrap items-stretch gap-2 [&>svg]:size-2.5 [&>svg]:text-muted-foreground",
                indicator === "dot" && "items-center",
              )}
            >
              {own ? (
                formatter(item.value, item.name, item, index, payload)
              ) : (
                <>
                  {Icon ? <Icon /> : !hideIndicator && <Indicator kind={indicator} inset={beside} colour={fill} />}
                  <div
                    className={cn(
                      "flex flex-1 justify-between gap-4 leading-none",
                      beside ? "items-end" : "items-center",
                    )}
                  >
                    <div className="grid gap-1.5">
                      {beside && title}
                      <span className="text-muted-foreground">{setting?.label ?? item.name}</span>
                    </div>
                    {item.value !== undefined && (
                      <span className="font-mono font-medium text-foreground tabular-nums">
                        {typeof item.value === "number" ? item.value.toLocaleString() : String(item.value)}
                      </span>
                    )}
                  </div>
                </>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Indicator({ kind, inset, colour }: { kind: string; inset: boolean; colour: string | undefined }) {
  return (
    <div
      className={cn("shrink-0 rounded-[2px]", {
        "size-2.5": kind === "dot",
        "w-1": kind === "line",
        "w-0 border-[1.5px] border-dashed": kind === "dashed",
        "my-0.5": inset && kind === "dashed",
      })}
      style={{ backgroundColor: kind === "dashed" ? "transparent" : colour, borderColor: colour }}
    />
  );
}

export function ChartLegendContent({
  className,
  hideIcon = false,
  payload = [],
  verticalAlign = "bottom",
  nameKey,
}: Pick<ComponentProps<"div">, "className"> &
  Partial<Pick<DefaultLegendContentProps, "payload" | "verticalAlign">> & { hideIcon?: boolean; nameKey?: string }) {
  const { config } = useChart();
  const shown = payload.filter((item) => item.type !== "none");
  if (shown.length === 0) return null;
  return (
    <div className={cn("flex items-center justify-center gap-4", verticalAlign === "top" ? "pb-3" : "pt-3", className)}>
      {shown.map((item) => {
        const setting = settingOf(config, item, String(nameKey ?? item.dataKey ?? "value"));
        const Icon = setting?.icon;
        return (
          <div key={item.value} className="flex items-center gap-1.5 [&>svg]:size-3 [&>svg]:text-muted-foreground">
            {Icon && !hideIcon ? (
              <Icon />
            ) : (
              <div className="size-2 shrink-0 rounded-[2px]" style={{ backgroundColor: item.color }} />
            )}
            {setting?.label ?? item.value}
          </div>
        );
      })}
    </div>
  );
}

// The key may name a field of the data whose value is the key of the config: "browser" is "chrome" in this row.
function settingOf(config: ChartConfig, item: object, key: string): ChartConfig[string] | undefined {
  const row: unknown = "payload" in item ? item.payload : undefined;
  return config[textOf(item, key) ?? textOf(row, key) ?? key] ?? config[key];
}

function textOf(value: unknown, key: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return typeof found === "string" ? found : undefined;
}
