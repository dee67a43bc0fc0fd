// The screenshots, by name: the page, and the actions before the capture.
import type { Page } from "playwright-core";

export interface Shot {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn?: boolean;
  /** Waits until the content is shown. */
  readonly ready: (page: Page) => Promise<unknown>;
}

const readers = "/northlight/reports/what-readers-finish";
const heading = (name: string) => (page: Page) => page.getByRole("heading", { name, level: 1 }).waitFor();
const framed = (text: string) => (page: Page) => page.frameLocator("iframe").first().getByText(text).first().waitFor();
const screenshots = async (page: Page) => {
  await page.getByText("Sales, fiscal year 2025").first().waitFor();
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0),
  );
};

export const shots: readonly Shot[] = [
  { name: "landing", path: "/", isSignedIn: false, ready: framed("The median fell") },
  { name: "dashboard", path: "/dashboard/northlight", ready: screenshots },
  { name: "list", path: "/dashboard/northlight?view=list", ready: screenshots },
  { name: "markdown", path: readers, ready: framed("Where they leave") },
  { name: "jsx", path: "/northlight/reports/sales", ready: framed("Revenue and cost") },
  {
    name: "versions",
    path: `${readers}?v=3`,
    ready: async (page) => {
      await framed("The model")(page);
      await page.locator('[data-part="versions"] > summary').click();
      await page.getByText("Plainer words").waitFor();
    },
  },
  { name: "changes", path: `${readers}/history?from=3&to=4&layout=split`, ready: heading("What readers finish") },
  {
    name: "rendered",
    path: `${readers}/history?from=2&to=4&tab=rendered`,
    ready: async (page) => {
      for (const index of [0, 1])
        await page.frameLocator("iframe").nth(index).getByText("Where they leave").first().waitFor();
    },
  },
  {
    name: "editor",
    path: `${readers}/edit`,
    ready: async (page) => {
      await framed("Fourteen weeks")(page);
      await page.getByRole("textbox", { name: /^Markdown of/ }).focus();
      await page.locator(".cm-content").waitFor();
      await page.keyboard.press("Control+Home");
      for (const key of ["ArrowDown", "ArrowDown", "End", "End"]) await page.keyboard.press(key);
      await page.keyboard.type(" One more week is on its way.");
      await framed("One more week")(page);
    },
  },
  { name: "access", path: `${readers}/settings/access`, ready: heading("What readers finish") },
  { name: "links", path: `${readers}/settings/links`, ready: heading("What readers finish") },
  {
    name: "search",
    path: "/dashboard/northlight",
    ready: async (page) => {
      await screenshots(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill("read");
      await page
        .getByRole("option", { name: /What readers finish/ })
        .first()
        .waitFor();
    },
  },
  { name: "team", path: "/settings/workspaces/northlight", ready: heading("Northlight Studio") },
  { name: "billing", path: "/settings/billing", ready: heading("Billing") },
];
