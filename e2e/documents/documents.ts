// Forty documents as coding agents write them, each with one action of a reader and its result. The files beside it are
// content: no formatter or check reads them.
import type { FrameLocator } from "playwright-core";

export interface RealDocument {
  /** The path below jsx/ or html/. */
  readonly file: string;
  /** Visible once it is drawn. */
  readonly shows: string;
  readonly act: (frame: FrameLocator) => Promise<void>;
  /** Visible after the action, and not before. */
  readonly thenShows: string;
}

const press =
  (name: string) =>
  (frame: FrameLocator): Promise<void> =>
    frame.getByRole("button", { name, exact: true }).first().click();

const pressText =
  (text: string) =>
  (frame: FrameLocator): Promise<void> =>
    frame.getByText(text, { exact: true }).first().click();

const fill =
  (selector: string, text: string) =>
  (frame: FrameLocator): Promise<void> =>
    frame.locator(selector).first().fill(text);

const steps =
  (...all: readonly RealDocument["act"][]) =>
  async (frame: FrameLocator): Promise<void> => {
    for (const act of all) await act(frame);
  };

export const jsxDocuments: readonly RealDocument[] = [
  { file: "sales-dashboard.jsx", shows: "Sales Dashboard", act: press("3M"), thenShows: "Last 3 months" },
  {
    file: "kanban-board.jsx",
    shows: "Product board",
    act: (frame) =>
      frame
        .locator("[draggable=true]", { hasText: "Fix flaky checkout test" })
        .dragTo(frame.locator("section", { hasText: "Upgrade to React 19" })),
    thenShows: "8 cards, 3 of them done",
  },
  {
    file: "calculator.jsx",
    shows: "Scientific calculator",
    act: steps(press("sqrt(3^2 + 4^2)"), (frame) => frame.getByLabel("Expression").press("Enter")),
    thenShows: "mean 5 · max 5 · sum 5",
  },
  {
    file: "network-and-bars.jsx",
    shows: "Services and sources",
    act: (frame) => frame.locator("g > circle").first().dispatchEvent("click"),
    thenShows: "Gateway: 4 connections",
  },
  { file: "solar-system.jsx", shows: "SOLAR SYSTEM", act: press("Saturn"), thenShows: "Distance: 18.5 units" },
  { file: "landing-page.jsx", shows: "The canvas for", act: press("Get started"), thenShows: "Welcome aboard" },
  {
    file: "onboarding-form.tsx",
    shows: "Step 1 of 4",
    act: steps(fill("#name", "Ada Lovelace"), fill("#email", "ada@example.com"), press("Continue")),
    thenShows: "Step 2 of 4",
  },
  {
    file: "customer-table.tsx",
    shows: "48 customers",
    act: fill("input", "greta"),
    thenShows: "4 customers",
  },
  { file: "pomodoro-timer.jsx", shows: "3 sessions today", act: press("Short break"), thenShows: "05:00" },
  { file: "notes-app.jsx", shows: "Slow is smooth, smooth is fast.", act: press("New note"), thenShows: "4 notes" },
  {
    file: "csv-viewer.jsx",
    shows: "cities.csv: 12 rows × 5 columns",
    act: fill("input", "osaka"),
    thenShows: "Total of the first numeric column: 18,967,000",
  },
  {
    file: "month-planner.tsx",
    shows: "March 2026",
    act: steps(press("New event"), fill("#title", "Board dinner"), press("Save event")),
    thenShows: "Board dinner",
  },
  { file: "shop-cart.jsx", shows: "€63.50", act: press("Add Reading chair"), thenShows: "€396.00" },
  {
    file: "pricing-page.jsx",
    shows: "One price, no surprises",
    act: (frame) => frame.getByRole("switch").click(),
    thenShows: "$23",
  },
  {
    file: "chat-mockup.jsx",
    shows: "Hello! How can I help you today?",
    act: steps(fill("textarea", "And on the server?"), press("Send")),
    thenShows: "That keeps the server calm.",
  },
  {
    file: "quiz.jsx",
    shows: "Which planet has the longest day?",
    act: pressText("Venus"),
    thenShows: "Right! Venus takes",
  },
  {
    file: "web-analytics.tsx",
    shows: "Visitors by device",
    act: (frame) => frame.getByRole("tab", { name: "Pages" }).click(),
    thenShows: "/docs/getting-started",
  },
  {
    file: "settings-page.jsx",
    shows: "Make it look the way you like it.",
    act: steps(press("Notifications"), (frame) => frame.getByRole("switch", { name: "Newsletter" }).click()),
    thenShows: "Unsaved changes",
  },
  {
    file: "command-palette.jsx",
    shows: "Everything, one key away",
    // React updates the list later, so the first item is checked after the others have disappeared.
    act: steps(
      pressText("Search commands…"),
      fill("[role=combobox]", "dep"),
      (frame) => frame.getByRole("option", { name: "Go to home" }).waitFor({ state: "detached" }),
      (frame) => frame.getByRole("option").first().click(),
    ),
    thenShows: "Ran: Deploy to production",
  },
  {
    file: "file-explorer.tsx",
    shows: "Choose a file to look into it",
    act: pressText("README.md"),
    thenShows: "Shows the forecast of the next seven days.",
  },
];

export const htmlDocuments: readonly RealDocument[] = [
  { file: "breakout-game.html", shows: "Start game", act: press("Start game"), thenShows: "Restart" },
  {
    file: "webgl-triangle.html",
    shows: "Drawing",
    act: (frame) => frame.getByLabel("Wavy edges").check(),
    thenShows: "Waves are on",
  },
  { file: "prime-worker.html", shows: "Ready.", act: press("Find the primes"), thenShows: "4236 primes up to 40401" },
  {
    file: "css-landing.html",
    shows: "See what is roasting",
    act: pressText("Do you ship abroad?"),
    thenShows: "To all of Europe, on Wednesdays.",
  },
  {
    file: "water-infographic.html",
    shows: "Choose a slice to hear more.",
    act: (frame) => frame.locator("[data-use=Laundry]").dispatchEvent("click"),
    thenShows: "Fill it before you start it.",
  },
  {
    file: "booking-form.html",
    shows: "Osteria Melograno",
    act: steps(fill("[name=name]", "Vera"), fill("[name=email]", "vera@example.com"), press("Book the table")),
    thenShows: "A table for 2 on Saturday at 19:30, under the name of Vera.",
  },
  {
    file: "recipe-dialog.html",
    shows: "Nothing chosen yet.",
    act: steps(pressText("Green pea"), press("Cook this one")),
    thenShows: "Tonight: Green pea",
  },
  { file: "invoice.html", shows: "No. 2026-014", act: fill("[aria-label='Hours 1']", "20"), thenShows: "5.503,75 €" },
  {
    file: "slide-deck.html",
    shows: "Slide 1 of 5",
    act: (frame) => frame.locator("#next").press("End"),
    thenShows: "Slide 5 of 5",
  },
  { file: "element-table.html", shows: "16 of 16 shown", act: fill("#q", "ium"), thenShows: "5 of 16 shown" },
  { file: "drawing-app.html", shows: "0 strokes", act: press("Add stars"), thenShows: "12 strokes" },
  {
    file: "synth.html",
    shows: "Press a key",
    act: (frame) => frame.locator("[data-n='9']").click(),
    thenShows: "A4, 440.0 Hz",
  },
  { file: "world-clock.html", shows: "Kathmandu", act: press("Show 12 hours"), thenShows: "Show 24 hours" },
  {
    file: "markdown-previewer.html",
    shows: "Nothing was removed in this release.",
    act: fill("textarea", "# One\n\nTwo **three**"),
    thenShows: "4 words, 20 characters",
  },
  { file: "todo-list.html", shows: "3 left", act: steps(fill("input", "Sleep"), press("Add")), thenShows: "4 left" },
  {
    file: "tabs-accordion.html",
    shows: "Your first day",
    act: (frame) => frame.getByRole("tab", { name: "Time off" }).click(),
    thenShows: "Thirty days, and you take them",
  },
  { file: "canvas-chart.html", shows: "Oslo, Lisbon, Sydney", act: press("Lisbon"), thenShows: "Oslo, Sydney" },
  { file: "regex-tester.html", shows: "3 matches", act: fill("#pattern", "\\d{3}-\\d{4}"), thenShows: "2 matches" },
  {
    file: "json-viewer.html",
    shows: "Rotterdam",
    act: steps(fill("#source", "{"), press("Show")),
    thenShows: "Expected property name",
  },
  {
    file: "typing-test.html",
    shows: "words a minute",
    act: fill("#input", "the lighthouse keeper counted the waves until he lost the number and began agaim"),
    thenShows: "Done with 99% right.",
  },
];
