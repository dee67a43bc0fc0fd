"use client";

import * as React from "react";
import { Area, AreaChart, Bar, BarChart, CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { type ChartConfig, ChartContainer, ChartLegend, ChartLegendContent, ChartTooltip, ChartTooltipContent } from "@/components/ui/chart";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";
import { Progress } from "@/components/ui/progress";
import { Globe, MousePointerClick, Timer, TrendingUp } from "lucide-react";

const chartConfig = {
  desktop: { label: "Desktop", color: "hsl(221 83% 53%)" },
  mobile: { label: "Mobile", color: "hsl(212 95% 78%)" },
} satisfies ChartConfig;

type Point = { date: string; desktop: number; mobile: number; bounce: number };

function makeData(days: number): Point[] {
  return Array.from({ length: days }, (_, i) => {
    const wave = Math.sin(i / 4) * 60 + Math.cos(i / 9) * 40;
    const date = new Date(Date.UTC(2026, 0, 1 + i));
    return {
      date: date.toISOString().slice(5, 10),
      desktop: Math.round(260 + wave + i * 1.6),
      mobile: Math.round(180 + wave * 0.7 + i * 2.1),
      bounce: Math.round(42 + Math.sin(i / 6) * 8),
    };
  });
}

const PAGES: Array<[path: string, views: number]> = [
  ["/", 12840], ["/blog/launch-week", 8931], ["/pricing", 6120], ["/docs/getting-started", 5544], ["/changelog", 2310],
];

const SOURCES = [
  { source: "Direct", visits: 4200 }, { source: "Search", visits: 6100 }, { source: "Social", visits: 2900 },
  { source: "Referral", visits: 1800 }, { source: "Email", visits: 1250 },
];

const sourceConfig = { visits: { label: "Visits", color: "hsl(262 83% 58%)" } } satisfies ChartConfig;

const Metric: React.FC<{ icon: React.ElementType; label: string; value: string; hint: string }> = ({ icon: Icon, label, value, hint }) => (
  <Card>
    <CardHeader className="flex flex-row items-center justify-between pb-2">
      <CardDescription>{label}</CardDescription>
      <Icon className="size-4 text-muted-foreground" />
    </CardHeader>
    <CardContent>
      <div className="text-2xl font-bold tabular-nums">{value}</div>
      <p className="text-xs text-muted-foreground">{hint}</p>
    </CardContent>
  </Card>
);

export default function WebAnalytics() {
  const [range, setRange] = React.useState<"30" | "90">("90");
  const data = React.useMemo(() => makeData(Number(range)), [range]);
  const visitors = data.reduce((sum, d) => sum + d.desktop + d.mobile, 0);

  return (
    <div className="flex min-h-screen flex-col gap-6 bg-background p-8 text-foreground">
      <div className="flex items-center justify-between">
        <div>
          <h1 className="text-2xl font-semibold">Analytics</h1>
          <p className="text-sm text-muted-foreground">example.com, the last {range} days</p>
        </div>
        <Select value={range} onValueChange={(value: "30" | "90") => setRange(value)}>
          <SelectTrigger className="w-40" aria-label="Range"><SelectValue placeholder="Range" /></SelectTrigger>
          <SelectContent>
            <SelectItem value="30">Last 30 days</SelectItem>
            <SelectItem value="90">Last 90 days</SelectItem>
          </SelectContent>
        </Select>
      </div>

      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Metric icon={Globe} label="Visitors" value={visitors.toLocaleString("en-US")} hint="+12.5 % on the period before" />
        <Metric icon={MousePointerClick} label="Clicks" value="18,204" hint="3.1 per visit" />
        <Metric icon={Timer} label="Time on page" value="2 m 41 s" hint="+9 s" />
        <Metric icon={TrendingUp} label="Conversion" value="4.8 %" hint="−0.2 points" />
      </div>

      <Tabs defaultValue="traffic">
        <TabsList>
          <TabsTrigger value="traffic">Traffic</TabsTrigger>
          <TabsTrigger value="sources">Sources</TabsTrigger>
          <TabsTrigger value="bounce">Bounce rate</TabsTrigger>
          <TabsTrigger value="pages">Pages</TabsTrigger>
        </TabsList>
        <TabsContent value="traffic">
          <Card>
            <CardHeader><CardTitle>Visitors by device</CardTitle><CardDescription>Stacked, per day</CardDescription></CardHeader>
            <CardContent>
              <ChartContainer config={chartConfig} className="aspect-auto h-[280px] w-full">
                <AreaChart data={data}>
                  <defs>
                    {(["desktop", "mobile"] as const).map((key) => (
                      <linearGradient key={key} id={`fill-${key}`} x1="0" y1="0" x2="0" y2="1">
                        <stop offset="5%" stopColor={`var(--color-${key})`} stopOpacity={0.8} />
                        <stop offset="95%" stopColor={`var(--color-${key})`} stopOpacity={0.1} />
                      </linearGradient>
                    ))}
                  </defs>
                  <CartesianGrid vertical={false} />
                  <XAxis dataKey="date" tickLine={false} axisLine={false} tickMargin={8} minTickGap={32} />
                  <ChartTooltip cursor={false} content={<ChartTooltipContent indicator="dot" />} />
                  <Area dataKey="mobile" type="natural" fill="url(#fill-mobile)" stroke="var(--color-mobile)" stackId="a" />
                  <Area dataKey="desktop" type="natural" fill="url(#fill-desktop)" stroke="var(--color-desktop)" stackId="a" />
                  <ChartLegend content={<ChartLegendContent />} />
                </AreaChart>
              </ChartContainer>
            </CardContent>
            <CardFooter className="text-sm text-muted-foreground">Weekends are included.</CardFooter>
          </Card>
        </TabsContent>
        <TabsContent value="sources">
          <Card>
            <CardHeader><CardTitle>Where visitors come from</CardTitle></CardHeader>
            <CardContent>
              <ChartContainer config={sourceConfig} className="aspect-auto h-[280px] w-full">
                <BarChart data={SOURCES} layout="vertical">
                  <YAxis dataKey="source" type="category" width={80} tickLine={false} axisLine={false} />
                  <XAxis type="number" hide />
                  <ChartTooltip content={<ChartTooltipContent />} />
                  <Bar dataKey="visits" fill="var(--color-visits)" radius={6} />
                </BarChart>
              </ChartContainer>
            </CardContent>
          </Card>
        </TabsContent>
        <TabsContent value="bounce">
          <Card>
            <CardHeader><CardTitle>Bounce rate, percent</CardTitle></CardHeader>
            <CardContent>
              <ChartContainer config={{ bounce: { label: "Bounce", color: "#ef4444" } }} className="aspect-auto h-[280px] w-full">
                <LineChart data={data}>
                  <XAxis dataKey="date" minTickGap={32} />
                  <YAxis domain={[20, 60]} />
                  <Line dataKey="bounce" stroke="var(--color-bounce)" dot={false} strokeWidth={2} />
                </LineChart>
              </ChartContainer>
            </CardContent>
          </Card>
        </TabsContent>
        <TabsContent value="pages">
          <Card>
            <CardHeader><CardTitle>Most read pages</CardTitle></CardHeader>
            <CardContent className="space-y-4">
              {PAGES.map(([path, views]) => (
                <div key={path} className="space-y-1">
                  <div className="flex justify-between text-sm"><code>{path}</code><span className="tabular-nums">{views.toLocaleString("en-US")}</span></div>
                  <Progress value={(views / PAGES[0]![1]) * 100} />
                </div>
              ))}
            </CardContent>
          </Card>
        </TabsContent>
      </Tabs>
    </div>
  );
}
