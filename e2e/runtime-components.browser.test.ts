// The components under @/components/ui in Chromium: each is used as a reader would, in its frame and under its policy. Five of
// the groups in each run; `TEST_SAMPLES=all bun run test e2e/runtime-components` has all.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Frame, Page } from "playwright-core";

import { jsxFrames } from "./harness/jsx-frames.ts";
import { hung } from "./harness/process.ts";
import { sampleWithFirst, testRandom } from "./harness/test-seed.ts";

setDefaultTimeout(2 * hung);

const show = jsxFrames();

const uses: [name: string, run: () => Promise<void>][] = [];

/** Shows `body` as a component with the imports, uses it, and expects the browser to have had nothing to say. */
function used(name: string, imports: string, body: string, use: (frame: Frame, page: Page) => Promise<void>): void {
  const run = async () => {
    const source = `import { useState } from "react";\n${imports}\nexport default function App() {\n${body}\n}`;
    const { frame, page, complaints } = await show(source);
    await use(frame, page);
    expect(await complaints()).toEqual([]);
  };
  uses.push([name, run]);
}

const button = (frame: Frame, name: string) => frame.getByRole("button", { name, exact: true });

used(
  "a dialog opens with its title, and closes by its button and by Escape",
  `import { Dialog, DialogContent, DialogDescription, DialogFooter, DialogHeader, DialogTitle, DialogTrigger } from "@/components/ui/dialog";
   import { Button } from "@/components/ui/button";`,
  `return <Dialog><DialogTrigger asChild><Button variant="outline">Open</Button></DialogTrigger>
     <DialogContent><DialogHeader><DialogTitle>Profile</DialogTitle><DialogDescription>Yours</DialogDescription></DialogHeader>
     <DialogFooter><Button>Save</Button></DialogFooter></DialogContent></Dialog>;`,
  async (frame, page) => {
    const dialog = frame.getByRole("dialog", { name: "Profile" });
    await button(frame, "Open").click();
    await dialog.waitFor();
    await button(frame, "Close").click();
    await dialog.waitFor({ state: "detached" });
    await button(frame, "Open").click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  },
);

used(
  "an alert dialog asks and takes the answer",
  `import { AlertDialog, AlertDialogAction, AlertDialogCancel, AlertDialogContent, AlertDialogDescription, AlertDialogFooter, AlertDialogHeader, AlertDialogTitle, AlertDialogTrigger } from "@/components/ui/alert-dialog";`,
  `const [done, setDone] = useState(false);
   return <AlertDialog><AlertDialogTrigger>Delete</AlertDialogTrigger><AlertDialogContent>
     <AlertDialogHeader><AlertDialogTitle>Sure?</AlertDialogTitle><AlertDialogDescription>For good.</AlertDialogDescription></AlertDialogHeader>
     <AlertDialogFooter><AlertDialogCancel>Cancel</AlertDialogCancel><AlertDialogAction onClick={() => setDone(true)}>Go on</AlertDialogAction></AlertDialogFooter>
   </AlertDialogContent>{done && <p>Deleted</p>}</AlertDialog>;`,
  async (frame) => {
    await button(frame, "Delete").click();
    await frame.getByRole("alertdialog", { name: "Sure?" }).waitFor();
    await button(frame, "Go on").click();
    await frame.getByText("Deleted").waitFor();
  },
);

used(
  "sheets and drawers slide in from their side",
  `import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle, SheetTrigger } from "@/components/ui/sheet";
   import { Drawer, DrawerClose, DrawerContent, DrawerDescription, DrawerHeader, DrawerTitle, DrawerTrigger } from "@/components/ui/drawer";`,
  `return <><Sheet><SheetTrigger>Sheet</SheetTrigger><SheetContent side="left"><SheetHeader><SheetTitle>Left</SheetTitle><SheetDescription>d</SheetDescription></SheetHeader></SheetContent></Sheet>
     <Drawer><DrawerTrigger>Drawer</DrawerTrigger><DrawerContent><DrawerHeader><DrawerTitle>Below</DrawerTitle><DrawerDescription>d</DrawerDescription></DrawerHeader><DrawerClose>Done</DrawerClose></DrawerContent></Drawer></>;`,
  async (frame, page) => {
    await button(frame, "Sheet").click();
    const sheet = frame.getByRole("dialog", { name: "Left" });
    await sheet.waitFor();
    await frame.waitForFunction(
      () => document.querySelector("[data-slot=sheet-content]")?.getBoundingClientRect().left === 0,
    );
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await button(frame, "Drawer").click();
    await frame.getByRole("dialog", { name: "Below" }).waitFor();
    await button(frame, "Done").click();
    await frame.getByRole("dialog", { name: "Below" }).waitFor({ state: "detached" });
  },
);

used(
  "a select picks, and tells",
  `import { Select, SelectContent, SelectGroup, SelectItem, SelectLabel, SelectTrigger, SelectValue } from "@/components/ui/select";`,
  `const [fruit, setFruit] = useState("");
   return <><Select value={fruit} onValueChange={setFruit}><SelectTrigger className="w-48" aria-label="Fruit"><SelectValue placeholder="Pick" /></SelectTrigger>
     <SelectContent><SelectGroup><SelectLabel>Fruits</SelectLabel><SelectItem value="apple">Apple</SelectItem><SelectItem value="pear">Pear</SelectItem></SelectGroup></SelectContent></Select><p>Picked: {fruit}</p></>;`,
  async (frame) => {
    await frame.getByRole("combobox", { name: "Fruit" }).click();
    // Below its trigger, and not over it.
    expect(await frame.getByRole("listbox").getAttribute("data-side")).toBe("bottom");
    await frame.getByRole("option", { name: "Pear" }).click();
    await frame.getByText("Picked: pear").waitFor();
  },
);

used(
  "menus of all three kinds open, check and go deeper",
  `import { DropdownMenu, DropdownMenuCheckboxItem, DropdownMenuContent, DropdownMenuItem, DropdownMenuLabel, DropdownMenuSeparator, DropdownMenuShortcut, DropdownMenuSub, DropdownMenuSubContent, DropdownMenuSubTrigger, DropdownMenuTrigger } from "@/components/ui/dropdown-menu";
   import { ContextMenu, ContextMenuContent, ContextMenuItem, ContextMenuTrigger } from "@/components/ui/context-menu";
   import { Menubar, MenubarContent, MenubarItem, MenubarMenu, MenubarTrigger } from "@/components/ui/menubar";`,
  `const [bar, setBar] = useState(false); const [said, setSaid] = useState("");
   return <><DropdownMenu><DropdownMenuTrigger>Menu</DropdownMenuTrigger><DropdownMenuContent><DropdownMenuLabel>View</DropdownMenuLabel><DropdownMenuSeparator />
       <DropdownMenuCheckboxItem checked={bar} onCheckedChange={setBar}>Status bar</DropdownMenuCheckboxItem>
       <DropdownMenuSub><DropdownMenuSubTrigger>More</DropdownMenuSubTrigger><DropdownMenuSubContent><DropdownMenuItem onSelect={() => setSaid("deep")}>Deep<DropdownMenuShortcut>⌘D</DropdownMenuShortcut></DropdownMenuItem></DropdownMenuSubContent></DropdownMenuSub></DropdownMenuContent></DropdownMenu>
     <ContextMenu><ContextMenuTrigger className="block p-4">Right here</ContextMenuTrigger><ContextMenuContent><ContextMenuItem onSelect={() => setSaid("context")}>Inspect</ContextMenuItem></ContextMenuContent></ContextMenu>
     <Menubar><MenubarMenu><MenubarTrigger>File</MenubarTrigger><MenubarContent><MenubarItem onSelect={() => setSaid("bar")}>New</MenubarItem></MenubarContent></MenubarMenu></Menubar>
     <p>{String(bar)} {said}</p></>;`,
  async (frame) => {
    await button(frame, "Menu").click();
    await frame.getByRole("menuitemcheckbox", { name: "Status bar" }).click();
    await frame.getByText("true").waitFor();
    await button(frame, "Menu").click();
    await frame.getByRole("menuitem", { name: "More" }).press("ArrowRight");
    await frame.getByRole("menuitem", { name: "Deep" }).press("Enter");
    await frame.getByText("true deep").waitFor();
    await frame.getByText("Right here").click({ button: "right" });
    await frame.getByRole("menuitem", { name: "Inspect" }).click();
    await frame.getByText("true context").waitFor();
    await frame.getByRole("menuitem", { name: "File" }).click();
    await frame.getByRole("menuitem", { name: "New" }).click();
    await frame.getByText("true bar").waitFor();
  },
);

used(
  "tabs switch, an accordion unfolds, a collapsible opens",
  `import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";
   import { Accordion, AccordionContent, AccordionItem, AccordionTrigger } from "@/components/ui/accordion";
   import { Collapsible, CollapsibleContent, CollapsibleTrigger } from "@/components/ui/collapsible";`,
  `return <><Tabs defaultValue="a"><TabsList><TabsTrigger value="a">One</TabsTrigger><TabsTrigger value="b">Two</TabsTrigger></TabsList><TabsContent value="a">First</TabsContent><TabsContent value="b">Second</TabsContent></Tabs>
     <Accordion type="single" collapsible><AccordionItem value="x"><AccordionTrigger>Question</AccordionTrigger><AccordionContent>Answer</AccordionContent></AccordionItem></Accordion>
     <Collapsible><CollapsibleTrigger>Show</CollapsibleTrigger><CollapsibleContent>Hidden</CollapsibleContent></Collapsible></>;`,
  async (frame) => {
    await frame.getByRole("tab", { name: "Two" }).click();
    await frame.getByText("Second").waitFor();
    expect(await frame.getByText("First").count()).toBe(0);
    await button(frame, "Question").click();
    await frame.getByText("Answer").waitFor();
    await button(frame, "Show").click();
    await frame.getByText("Hidden").waitFor();
  },
);

used(
  "tooltips, hover cards and popovers show themselves",
  `import { Tooltip, TooltipContent, TooltipProvider, TooltipTrigger } from "@/components/ui/tooltip";
   import { HoverCard, HoverCardContent, HoverCardTrigger } from "@/components/ui/hover-card";
   import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";`,
  `return <div className="flex gap-24 p-24"><TooltipProvider><Tooltip><TooltipTrigger>Tip</TooltipTrigger><TooltipContent><p>Told</p></TooltipContent></Tooltip></TooltipProvider>
     <HoverCard openDelay={0}><HoverCardTrigger href="#">Card</HoverCardTrigger><HoverCardContent>Shown on a card</HoverCardContent></HoverCard>
     <Popover><PopoverTrigger>Pop</PopoverTrigger><PopoverContent>Popped</PopoverContent></Popover></div>;`,
  async (frame) => {
    await button(frame, "Tip").hover();
    await frame.getByRole("tooltip", { name: "Told" }).waitFor();
    await frame.getByText("Card", { exact: true }).hover();
    await frame.getByText("Shown on a card").waitFor();
    await button(frame, "Pop").click();
    await frame.getByText("Popped").waitFor();
  },
);

used(
  "toasts of both kinds appear",
  `import { useToast } from "@/hooks/use-toast"; import { toast as older } from "@/components/ui/use-toast";
   import { Toaster } from "@/components/ui/toaster"; import { ToastAction } from "@/components/ui/toast";
   import { Toaster as Sonner } from "@/components/ui/sonner"; import { toast as sonner } from "sonner";`,
  `const { toast } = useToast();
   return <><button onClick={() => toast({ title: "Saved", description: "All of it", action: <ToastAction altText="Undo">Undo</ToastAction> })}>One</button>
     <button onClick={() => older({ variant: "destructive", title: "Failed" })}>Two</button>
     <button onClick={() => sonner.success("Done", { description: "Well" })}>Three</button><Toaster /><Sonner /></>;`,
  async (frame) => {
    await button(frame, "One").click();
    await frame.getByText("All of it", { exact: true }).waitFor();
    await button(frame, "Two").click();
    await frame.locator("[data-slot=toast-title]", { hasText: "Failed" }).waitFor();
    await frame.locator("[data-slot=toast]", { hasText: "Failed" }).getByRole("button", { name: "Close" }).click();
    await frame.locator("[data-slot=toast-title]", { hasText: "Failed" }).waitFor({ state: "detached" });
    await button(frame, "Three").click();
    await frame.getByText("Well").waitFor();
  },
);

used(
  "a carousel moves",
  `import { Carousel, CarouselContent, CarouselItem, CarouselNext, CarouselPrevious } from "@/components/ui/carousel";`,
  `const [api, setApi] = useState(); const [at, setAt] = useState(0);
   return <div className="mx-auto w-60"><Carousel setApi={(api) => { setApi(api); api?.on("select", () => setAt(api.selectedScrollSnap())); }}><CarouselContent>{[1, 2, 3].map((n) => <CarouselItem key={n}>Slide {n}</CarouselItem>)}</CarouselContent><CarouselPrevious /><CarouselNext /></Carousel><p>At {at}</p></div>;`,
  async (frame) => {
    await frame.getByText("At 0").waitFor();
    expect(await button(frame, "Previous slide").isDisabled()).toBeTrue();
    await button(frame, "Next slide").click();
    await frame.getByText("At 1").waitFor();
    await button(frame, "Previous slide").click();
    await frame.getByText("At 0").waitFor();
  },
);

used(
  "a chart draws in the colours of its config, wrapped in hsl() or not, and its tooltip has their labels",
  `import { ChartContainer, ChartLegend, ChartLegendContent, ChartTooltip, ChartTooltipContent } from "@/components/ui/chart";
   import { Bar, BarChart, CartesianGrid, XAxis } from "recharts";
   const config = { desktop: { label: "Desktop", color: "hsl(var(--chart-1))" }, mobile: { label: "Phones", theme: { light: "#00ff00", dark: "#0000ff" } } };`,
  `return <ChartContainer config={config} className="h-72 w-full"><BarChart accessibilityLayer data={[{ month: "Jan", desktop: 186, mobile: 1080 }, { month: "Feb", desktop: 305, mobile: 200 }]}>
     <CartesianGrid vertical={false} /><XAxis dataKey="month" /><ChartTooltip content={<ChartTooltipContent />} /><ChartLegend content={<ChartLegendContent />} />
     <Bar dataKey="desktop" fill="var(--color-desktop)" radius={4} /><Bar dataKey="mobile" fill="var(--color-mobile)" radius={4} /></BarChart></ChartContainer>;`,
  async (frame) => {
    // Found and read at once: while the bars grow, others take their place, and one that is gone has no colour.
    const drawn = await frame.waitForFunction(() => {
      const bars = [...document.querySelectorAll(".recharts-bar-rectangle path")];
      return bars.length === 4 && bars.map((bar) => getComputedStyle(bar).fill);
    });
    const fills = (await drawn.jsonValue()) || [];
    expect(fills[0]).toMatch(/^(oklch|color|rgb)/);
    expect(fills[0]).not.toBe("rgb(0, 0, 0)");
    expect(fills[2]).toBe("rgb(0, 255, 0)");
    await frame.locator(".recharts-wrapper").hover({ position: { x: 250, y: 150 } });
    await frame.locator(".recharts-tooltip-wrapper").getByText("1,080").waitFor();
    await frame.locator(".recharts-tooltip-wrapper").getByText("Phones").waitFor();
    await frame.locator(".recharts-legend-wrapper").getByText("Desktop").waitFor();
  },
);

used(
  "a calendar picks a day and turns its months",
  `import { Calendar } from "@/components/ui/calendar"; import { format } from "date-fns";`,
  `const [day, setDay] = useState(new Date(2024, 1, 10));
   return <><Calendar mode="single" selected={day} onSelect={setDay} defaultMonth={day} className="rounded-md border" /><p>{day && format(day, "yyyy-MM-dd")}</p></>;`,
  async (frame) => {
    await frame.getByRole("button", { name: /February 20/ }).click();
    await frame.getByText("2024-02-20").waitFor();
    await frame.getByRole("button", { name: /next month/i }).click();
    await frame.getByText("March 2024").waitFor();
  },
);

used(
  "a form tells what is wrong with a field, and then submits",
  `import { useForm } from "react-hook-form";
   import { Form, FormControl, FormDescription, FormField, FormItem, FormLabel, FormMessage } from "@/components/ui/form";
   import { Input } from "@/components/ui/input"; import { Button } from "@/components/ui/button";`,
  `const form = useForm({ defaultValues: { name: "" } }); const [sent, setSent] = useState("");
   return <Form {...form}><form onSubmit={form.handleSubmit(({ name }) => setSent(name))}>
     <FormField control={form.control} name="name" rules={{ required: "Say who you are" }} render={({ field }) => <FormItem><FormLabel>Name</FormLabel><FormControl><Input {...field} /></FormControl><FormDescription>Yours</FormDescription><FormMessage /></FormItem>} />
     <Button type="submit">Send</Button></form><p>Sent {sent}</p></Form>;`,
  async (frame) => {
    await button(frame, "Send").click();
    await frame.getByText("Say who you are").waitFor();
    const field = frame.getByLabel("Name");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill("Ada");
    await button(frame, "Send").click();
    await frame.getByText("Sent Ada").waitFor();
  },
);

used(
  "a form holds to a schema of zod's, without making code from text",
  `import { useForm } from "react-hook-form"; import { zodResolver } from "@hookform/resolvers/zod"; import { z } from "zod";
   import { Form, FormControl, FormField, FormItem, FormLabel, FormMessage } from "@/components/ui/form"; import { Input } from "@/components/ui/input";
   const schema = z.object({ email: z.string().email("No address"), age: z.coerce.number().min(18, "Too young") });`,
  `const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: "", age: 7 } }); const [sent, setSent] = useState("");
   return <Form {...form}><form onSubmit={form.handleSubmit((values) => setSent(JSON.stringify(values)))}>{["email", "age"].map((name) =>
     <FormField key={name} control={form.control} name={name} render={({ field }) => <FormItem><FormLabel>{name}</FormLabel><FormControl><Input {...field} /></FormControl><FormMessage /></FormItem>} />)}
     <button>Send</button></form><p>Sent {sent}</p></Form>;`,
  async (frame) => {
    await button(frame, "Send").click();
    await frame.getByText("No address").waitFor();
    await frame.getByText("Too young").waitFor();
    await frame.getByLabel("email").fill("ada@example.com");
    await frame.getByLabel("age").fill("36");
    await button(frame, "Send").click();
    await frame.getByText('Sent {"email":"ada@example.com","age":36}').waitFor();
  },
);

used(
  "a sidebar closes and opens",
  `import { Sidebar, SidebarContent, SidebarGroup, SidebarGroupContent, SidebarGroupLabel, SidebarHeader, SidebarInset, SidebarMenu, SidebarMenuButton, SidebarMenuItem, SidebarProvider, SidebarTrigger, useSidebar } from "@/components/ui/sidebar";
   const State = () => <p>Now {useSidebar().state}</p>;`,
  `return <SidebarProvider><Sidebar><SidebarHeader>Top</SidebarHeader><SidebarContent><SidebarGroup><SidebarGroupLabel>App</SidebarGroupLabel><SidebarGroupContent><SidebarMenu><SidebarMenuItem><SidebarMenuButton isActive tooltip="Home">Home</SidebarMenuButton></SidebarMenuItem></SidebarMenu></SidebarGroupContent></SidebarGroup></SidebarContent></Sidebar>
     <SidebarInset><SidebarTrigger /><State /></SidebarInset></SidebarProvider>;`,
  async (frame, page) => {
    const left = () =>
      frame.locator("[data-slot=sidebar-container]").evaluate((sidebar) => sidebar.getBoundingClientRect().left);
    await frame.getByText("Now expanded").waitFor();
    expect(await left()).toBe(0);
    await button(frame, "Toggle Sidebar").first().click();
    await frame.getByText("Now collapsed").waitFor();
    await frame.waitForFunction(
      () => (document.querySelector("[data-slot=sidebar-container]")?.getBoundingClientRect().left ?? 0) <= -256,
    );
    await page.keyboard.press("Control+b");
    await frame.getByText("Now expanded").waitFor();
  },
);

used(
  "switches, boxes, radios, sliders and toggles are set",
  `import { Switch } from "@/components/ui/switch"; import { Checkbox } from "@/components/ui/checkbox"; import { Label } from "@/components/ui/label";
   import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group"; import { Slider } from "@/components/ui/slider";
   import { Toggle } from "@/components/ui/toggle"; import { ToggleGroup, ToggleGroupItem } from "@/components/ui/toggle-group"; import { Progress } from "@/components/ui/progress";`,
  `const [n, setN] = useState([20]); const [way, setWay] = useState("left");
   return <div className="grid gap-4 p-8"><Switch id="s" /><Label htmlFor="s">Flight</Label><Checkbox id="c" /><Label htmlFor="c">Terms</Label>
     <RadioGroup defaultValue="a"><RadioGroupItem value="a" id="ra" /><RadioGroupItem value="b" id="rb" /><Label htmlFor="rb">B</Label></RadioGroup>
     <Slider value={n} onValueChange={setN} max={100} step={5} /><Progress value={n[0]} /><Toggle aria-label="Bold">B</Toggle>
     <ToggleGroup type="single" value={way} onValueChange={setWay}><ToggleGroupItem value="left">Left</ToggleGroupItem><ToggleGroupItem value="right">Right</ToggleGroupItem></ToggleGroup><p>{n[0]} {way}</p></div>;`,
  async (frame) => {
    await frame.getByText("Flight").click();
    expect(await frame.getByRole("switch").getAttribute("aria-checked")).toBe("true");
    await frame.getByText("Terms").click();
    expect(await frame.getByRole("checkbox").getAttribute("aria-checked")).toBe("true");
    await frame.getByText("B", { exact: true }).first().click();
    expect(await frame.getByRole("radio").nth(1).getAttribute("aria-checked")).toBe("true");
    await frame.getByRole("slider").press("ArrowRight");
    await frame.getByText("25 left").waitFor();
    await button(frame, "Bold").click();
    expect(await button(frame, "Bold").getAttribute("aria-pressed")).toBe("true");
    await frame.getByText("Right", { exact: true }).click();
    await frame.getByText("25 right").waitFor();
  },
);

used(
  "a command finds, a one-time code is typed, panels are resized, a navigation menu opens",
  `import { Command, CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList } from "@/components/ui/command";
   import { InputOTP, InputOTPGroup, InputOTPSlot } from "@/components/ui/input-otp";
   import { ResizableHandle, ResizablePanel, ResizablePanelGroup } from "@/components/ui/resizable";
   import { NavigationMenu, NavigationMenuContent, NavigationMenuItem, NavigationMenuLink, NavigationMenuList, NavigationMenuTrigger } from "@/components/ui/navigation-menu";`,
  `const [code, setCode] = useState("");
   return <><NavigationMenu><NavigationMenuList><NavigationMenuItem><NavigationMenuTrigger>Guides</NavigationMenuTrigger><NavigationMenuContent><NavigationMenuLink href="#a">Start here</NavigationMenuLink></NavigationMenuContent></NavigationMenuItem></NavigationMenuList></NavigationMenu>
     <Command className="h-40 border"><CommandInput placeholder="Search" /><CommandList><CommandEmpty>None</CommandEmpty><CommandGroup heading="Things"><CommandItem>Calendar</CommandItem><CommandItem>Calculator</CommandItem></CommandGroup></CommandList></Command>
     <InputOTP maxLength={4} value={code} onChange={setCode} aria-label="Code"><InputOTPGroup><InputOTPSlot index={0} /><InputOTPSlot index={1} /><InputOTPSlot index={2} /><InputOTPSlot index={3} /></InputOTPGroup></InputOTP><p>Code {code}</p>
     <div className="h-40 w-100"><ResizablePanelGroup direction="horizontal"><ResizablePanel defaultSize={25}><div id="one">One</div></ResizablePanel><ResizableHandle withHandle /><ResizablePanel defaultSize={75}>Two</ResizablePanel></ResizablePanelGroup></div></>;`,
  async (frame, page) => {
    await frame.getByPlaceholder("Search").fill("calcu");
    await frame.getByText("Calendar").waitFor({ state: "detached" });
    await frame.getByPlaceholder("Search").fill("nothing");
    await frame.getByText("None").waitFor();
    await frame.getByLabel("Code").focus();
    await page.keyboard.type("1234");
    await frame.getByText("Code 1234").waitFor();
    const width = () =>
      frame
        .locator("[data-slot=resizable-panel]")
        .first()
        .evaluate((panel) => panel.getBoundingClientRect().width);
    const before = await width();
    expect(before).toBeGreaterThan(80);
    expect(before).toBeLessThan(120);
    await frame.getByRole("separator").press("ArrowRight");
    expect(await width()).toBeGreaterThan(before);
    await button(frame, "Guides").click();
    await frame.getByText("Start here").waitFor();
  },
);

// The changes of runtime/vendor/shadcn/README.md that no other use needs.
used(
  "older documents and shorter ones than upstream's work",
  `import { Card, CardContent, CardFooter } from "@/components/ui/card"; import { Progress } from "@/components/ui/progress"; import { Slider } from "@/components/ui/slider";
   import { Carousel, CarouselContent, CarouselItem, useCarousel } from "@/components/ui/carousel"; import { Toaster, toast } from "@/components/ui/sonner";
   import { ResizableHandle, ResizablePanel, ResizablePanelGroup } from "@/components/ui/resizable"; import { Tooltip, TooltipContent, TooltipTrigger } from "@/components/ui/tooltip";
   import { ChartContainer, ChartLegend, ChartLegendContent, useChart } from "@/components/ui/chart"; import { Bar, BarChart, XAxis } from "recharts";
   import { AlertAction } from "@/components/ui/alert"; import { PopoverClose } from "@/components/ui/popover"; import { SheetOverlay, SheetPortal } from "@/components/ui/sheet"; import { useMobile } from "@/hooks/use-mobile";
   import { PaginationNext, PaginationPrevious } from "@/components/ui/pagination";
   const names = [AlertAction, PopoverClose, SheetOverlay, SheetPortal, useCarousel, useChart, useMobile];`,
  `const [at, setAt] = useState(0);
   return <div className="grid gap-8 p-16"><Card><form><CardContent id="content">Content</CardContent><CardFooter>Foot</CardFooter></form></Card>
     <Progress value={1} max={4} aria-label="Done" /><Slider />
     <Tooltip><TooltipTrigger>Tip</TooltipTrigger><TooltipContent>Told</TooltipContent></Tooltip>
     <div className="h-40 w-100"><ResizablePanelGroup direction="vertical"><ResizablePanel defaultSize={25}>One</ResizablePanel><ResizableHandle /><ResizablePanel>Two</ResizablePanel></ResizablePanelGroup></div>
     <Carousel orientation="vertical" tabIndex={0} setApi={(api) => api?.on("select", () => setAt(api.selectedScrollSnap()))}><CarouselContent className="h-20">{[1, 2, 3].map((n) => <CarouselItem key={n}>Slide {n}</CarouselItem>)}</CarouselContent></Carousel><p>At {at}</p>
     <ChartContainer config={{}} className="h-40 w-80"><BarChart data={[{ month: "Jan", Visits: 3 }]}><XAxis dataKey="month" /><ChartLegend content={<ChartLegendContent />} /><Bar dataKey="Visits" /></BarChart></ChartContainer>
     <div><PaginationPrevious text="Zurück" href="#" /><PaginationNext text="Weiter" href="#" /></div>
     <button onClick={() => toast("Saved")}>Save</button><Toaster /><p>{names.filter(Boolean).length} names</p></div>;`,
  async (frame, page) => {
    await frame.getByText("7 names").waitFor();
    for (const text of ["Zurück", "Weiter"]) await frame.getByText(text, { exact: true }).waitFor();
    const form = frame.locator("form");
    expect(await form.evaluate((element) => getComputedStyle(element).rowGap)).toBe("24px");
    const progress = frame.getByRole("progressbar", { name: "Done" });
    expect([await progress.getAttribute("aria-valuenow"), await progress.getAttribute("aria-valuemax")]).toEqual([
      "1",
      "4",
    ]);
    const share = await frame.locator("[data-slot=progress-indicator]").evaluate((bar) => {
      const [inner, outer] = [bar.getBoundingClientRect(), bar.parentElement?.getBoundingClientRect()];
      return (inner.right - (outer?.left ?? 0)) / (outer?.width ?? 1);
    });
    expect(share).toBeCloseTo(0.25, 2);
    expect(await frame.getByRole("slider").count()).toBe(1);
    await button(frame, "Tip").hover();
    await frame.getByRole("tooltip", { name: "Told" }).waitFor();
    const heights = await frame
      .locator("[data-slot=resizable-panel]")
      .evaluateAll((panels) => panels.map((panel) => Math.round(panel.getBoundingClientRect().height)));
    expect(heights[0]).toBeWithin(35, 46);
    await frame.locator("[data-slot=carousel]").focus();
    await page.keyboard.press("ArrowDown");
    await frame.getByText("At 1").waitFor();
    await frame.locator(".recharts-legend-wrapper").getByText("Visits").waitFor();
    const tick = frame.locator(".recharts-cartesian-axis-tick-value").first();
    const muted = await tick.evaluate((text) => [getComputedStyle(text).fill, getComputedStyle(document.body).color]);
    expect(muted[0]).not.toBe(muted[1]);
    await button(frame, "Save").click();
    await frame.getByText("Saved").waitFor();
  },
);

test.each(sampleWithFirst(uses, 5, testRandom("runtime-components")))("%s", (_, run) => run());
