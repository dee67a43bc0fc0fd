import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";

import { configDirectory, homeOf } from "./user-directories.ts";

test("is what HOME says, else the account's own; one that is empty says nothing", () => {
  expect(homeOf({ HOME: "/home/ada" })).toBe("/home/ada");
  expect(homeOf({})).toBe(homedir());
  expect(homeOf({ HOME: "" })).toBe(homedir());
});

test("an absolute XDG_CONFIG_HOME goes before it", () => {
  expect(configDirectory({ HOME: "/home/ada" })).toBe(join("/home/ada", ".config/plinth"));
  expect(configDirectory({ HOME: "/home/ada", XDG_CONFIG_HOME: "/config" })).toBe("/config/plinth");
  expect(configDirectory({ HOME: "/home/ada", XDG_CONFIG_HOME: "config" })).toBe("/home/ada/.config/plinth");
});
