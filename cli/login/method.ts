// Chooses the sign-in method: a browser on this machine, a browser elsewhere, or a token from standard input.
import type { Context } from "../command/context.ts";
import { ownFailure, usage } from "../failure/failure.ts";
import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";

export const loginMethods = ["browser", "device", "token-stdin"] as const;
type LoginMethod = (typeof loginMethods)[number];

/** What the line asks for, or else what this machine can. @throws Failure usage, input_needed */
export function chooseLoginMethod({ settings, io }: Context, given: Values["flags"]): LoginMethod {
  if (given["token"] !== undefined)
    throw usage("login takes no --token: others on this machine could read it", {
      hint: "Pipe it in",
      next: "plinth login --token-stdin",
    });
  if (given["token-stdin"] === true && given["device"] === true)
    throw usage("--token-stdin and --device exclude each other");
  if (given["token-stdin"] === true && given["name"] !== undefined)
    throw usage("--name is for a new login, not for a token that has a name");
  if (given["token-stdin"] === true) return "token-stdin";
  if (given["device"] === true) return "device";
  if (settings.noInput)
    throw ownFailure("input_needed", "Signing in needs a person with a browser", {
      hint: "Set SERVICE_TOKEN, pipe a key in, or let a person enter a code (--device)",
      next: "plinth login --token-stdin",
    });
  return hasBrowser(io) ? "browser" : "device";
}

/** Whether a browser opened here would be seen by the person: not over SSH, and not without a display. */
export function hasBrowser({ env, platform }: Pick<Io, "env" | "platform">): boolean {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== "";
  if (isSet("SSH_CONNECTION") || isSet("SSH_CLIENT") || isSet("SSH_TTY")) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}
