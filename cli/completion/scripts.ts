// The completion scripts of all shells.
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { Position } from "./tables.ts";
import { zshScript } from "./zsh.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const scripts: Readonly<Record<Shell, (places: readonly Position[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

export const scriptOf = (shell: Shell, places: readonly Position[]): string => scripts[shell](places);
