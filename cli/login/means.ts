// How this machine can sign in: with a browser of its own, or with one elsewhere.
import type { Io } from "../io.ts";

/** Whether a browser opened here would be seen by the person: not over SSH, and not without a display. */
export function hasBrowser({ env, platform }: Pick<Io, "env" | "platform">): boolean {
  const isSet = (name: string): boolean => env[name] !== undefined && env[name] !== "";
  if (isSet("SSH_CONNECTION") || isSet("SSH_CLIENT") || isSet("SSH_TTY")) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}
