import { expect, test } from "bun:test";

import { installLine, npmLine } from "./install.ts";

test("the line for a terminal allows http only where the instance has no https and is on another machine", () => {
  for (const publicUrl of ["https://plinth.example", "http://localhost:3000", "http://127.0.0.1:3000"])
    expect(installLine(publicUrl)).toBe(`curl -fsSL ${publicUrl}/install.sh | sh`);
  expect(installLine("http://plinth.lan")).toBe("curl -fsSL http://plinth.lan/install.sh | PLINTH_ALLOW_HTTP=1 sh");
});

test("npm installs the package of the instance", () => {
  expect(npmLine("https://plinth.example")).toBe("npm install --global https://plinth.example/cli.tgz");
});
