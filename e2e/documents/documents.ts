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

const read = (file: string, shows: string, act: RealDocument["act"], thenShows: string): RealDocument => ({
  file,
  shows,
  act,
  thenShows,
});

export const jsxDocuments: readonly RealDocument[] = [
  read("sales-dashboard.jsx", "Sales Dashboard", press("3M"), "Last 3 months"),
  read(
    "kanban-board.jsx",
    "Product board",
    (frame) =>
      frame
        .locator("[draggable=true]", { hasText: "Fix flaky checkout test" })
        .dragTo(frame.locator("section", { hasText: "Upgrade to React 19" })),
    "8 cards, 3 of them done",
  ),
  read(
    "calculator.jsx",
    "Scientific calculator",
    steps(press("sqrt(3^2 + 4^2)"), (frame) => frame.getByLabel("Expression").press("Enter")),
    "mean 5 · max 5 · sum 5",
  ),
  read(
    "network-and-bars.jsx",
    "Services and sources",
    (frame) => frame.locator("g > circle").first().dispatchEvent("click"),
    "Gateway: 4 connections",
  ),
  read("solar-system.jsx", "SOLAR SYSTEM", press("Saturn"), "Distance: 18.5 units"),
  read("landing-page.jsx", "The canvas for", press("Get started"), "Welcome aboard"),
  read(
    "onboarding-form.tsx",
    "Step 1 of 4",
    steps(fill("#name", "Ada Lovelace"), fill("#email", "ada@example.com"), press("Continue")),
    "Step 2 of 4",
  ),
  read("customer-table.tsx", "48 customers", fill("input", "greta"), "4 customers"),
  read("pomodoro-timer.jsx", "3 sessions today", press("Short break"), "05:00"),
  read("notes-app.jsx", "Slow is smooth, smooth is fast.", press("New note"), "4 notes"),
  read(
    "csv-viewer.jsx",
    "cities.csv: 12 rows × 5 columns",
    fill("input", "osaka"),
    "Total of the first numeric column: 18,967,000",
  ),
  read(
    "month-planner.tsx",
    "March 2026",
    steps(press("New event"), fill("#title", "Board dinner"), press("Save event")),
    "Board dinner",
  ),
  read("shop-cart.jsx", "€63.50", press("Add Reading chair"), "€396.00"),
  read("pricing-page.jsx", "One price, no surprises", (frame) => frame.getByRole("switch").click(), "$23"),
  read(
    "chat-mockup.jsx",
    "Hello! How can I help you today?",
    steps(fill("textarea", "And on the server?"), press("Send")),
    "That keeps the server calm.",
  ),
  read("quiz.jsx", "Which planet has the longest day?", pressText("Venus"), "Right! Venus takes"),
  read(
    "web-analytics.tsx",
    "Visitors by device",
    (frame) => frame.getByRole("tab", { name: "Pages" }).click(),
    "/docs/getting-started",
  ),
  read(
    "settings-page.jsx",
    "Make it look the way you like it.",
    steps(press("Notifications"), (frame) => frame.getByRole("switch", { name: "Newsletter" }).click()),
    "Unsaved changes",
  ),
  read(
    "command-palette.jsx",
    "Everything, one key away",
    // React updates the list later, so the first item is checked after the others have disappeared.
    steps(
      pressText("Search commands…"),
      fill("[role=combobox]", "dep"),
      (frame) => frame.getByRole("option", { name: "Go to home" }).waitFor({ state: "detached" }),
      (frame) => frame.getByRole("option").first().click(),
    ),
    "Ran: Deploy to production",
  ),
  read(
    "file-explorer.tsx",
    "Choose a file to look into it",
    pressText("README.md"),
    "Shows the forecast of the next seven days.",
  ),
];

export const htmlDocuments: readonly RealDocument[] = [
  read("breakout-game.html", "Start game", press("Start game"), "Restart"),
  read("webgl-triangle.html", "Drawing", (frame) => frame.getByLabel("Wavy edges").check(), "Waves are on"),
  read("prime-worker.html", "Ready.", press("Find the primes"), "4236 primes up to 40401"),
  read(
    "css-landing.html",
    "See what is roasting",
    pressText("Do you ship abroad?"),
    "To all of Europe, on Wednesdays.",
  ),
  read(
    "water-infographic.html",
    "Choose a slice to hear more.",
    (frame) => frame.locator("[data-use=Laundry]").dispatchEvent("click"),
    "Fill it before you start it.",
  ),
  read(
    "booking-form.html",
    "Osteria Melograno",
    steps(fill("[name=name]", "Vera"), fill("[name=email]", "vera@example.com"), press("Book the table")),
    "A table for 2 on Saturday at 19:30, under the name of Vera.",
  ),
  read(
    "recipe-dialog.html",
    "Nothing chosen yet.",
    steps(pressText("Green pea"), press("Cook this one")),
    "Tonight: Green pea",
  ),
  read("invoice.html", "No. 2026-014", fill("[aria-label='Hours 1']", "20"), "5.503,75 €"),
  read("slide-deck.html", "Slide 1 of 5", (frame) => frame.locator("#next").press("End"), "Slide 5 of 5"),
  read("element-table.html", "16 of 16 shown", fill("#q", "ium"), "5 of 16 shown"),
  read("drawing-app.html", "0 strokes", press("Add stars"), "12 strokes"),
  read("synth.html", "Press a key", (frame) => frame.locator("[data-n='9']").click(), "A4, 440.0 Hz"),
  read("world-clock.html", "Kathmandu", press("Show 12 hours"), "Show 24 hours"),
  read(
    "markdown-previewer.html",
    "Nothing was removed in this release.",
    fill("textarea", "# One\n\nTwo **three**"),
    "4 words, 20 characters",
  ),
  read("todo-list.html", "3 left", steps(fill("input", "Sleep"), press("Add")), "4 left"),
  read(
    "tabs-accordion.html",
    "Your first day",
    (frame) => frame.getByRole("tab", { name: "Time off" }).click(),
    "Thirty days, and you take them",
  ),
  read("canvas-chart.html", "Oslo, Lisbon, Sydney", press("Lisbon"), "Oslo, Sydney"),
  read("regex-tester.html", "3 matches", fill("#pattern", "\\d{3}-\\d{4}"), "2 matches"),
  read("json-viewer.html", "Rotterdam", steps(fill("#source", "{"), press("Show")), "Expected property name"),
  read(
    "typing-test.html",
    "words a minute",
    fill("#input", "the lighthouse keeper counted the waves until he lost the number and began agaim"),
    "Done with 99% right.",
  ),
];
