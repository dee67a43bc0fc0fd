import { expect, test } from "bun:test";

import { demoProjectTexts } from "#messages/demo-project.ts";
import { demoProject, isDemoProject } from "./demo-project.ts";

test("the demo project is known in each language, until its description is changed", () => {
  const project = demoProject();
  expect(project.title).toBe("Demo project");
  expect(isDemoProject(project)).toBe(true);
  expect(isDemoProject({ ...project, ...demoProjectTexts("de") })).toBe(true);
  expect(isDemoProject({ ...project, description: "Mine" })).toBe(false);
});
