// Starts the person's browser. Nothing passes through a shell.
import { spawn } from "node:child_process";

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Shows an http address; whether the program that does it could be started and did not fail at once. */
export function openBrowser(address: string, platform: NodeJS.Platform): Promise<boolean> {
  if (!/^https?:\/\//.test(address)) return Promise.resolve(false);
  const [program, ...words] = openers[platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      // Some openers stay for as long as the browser does.
      child.unref();
      resolve(true);
    });
  });
}
