// Every environment variable the command line reads, for programs. A test holds the list to what the code reads.
import type { Flags } from "../flags/flags.ts";
import { globalFlags } from "../flags/global-flags.ts";

export interface Variable {
  readonly name: string;
  /** The global flag that says the same, and goes before it. */
  readonly flag: string | null;
  readonly description: string;
}

const others: Readonly<Record<string, string>> = {
  OPERATOR_TOKEN: "Operator token, for operator commands",
  DATA_DIR: "Data directory of an instance on this machine, whose operator token is taken (./data)",
  XDG_CONFIG_HOME: "Where the directory plinth with the saved logins is (~/.config)",
  XDG_STATE_HOME: "Where the directory plinth with the journal of pushes is (~/.local/state)",
  HOME: "Home directory, for ~/.config and ~/.local/state",
  VISUAL: "Editor of artifact edit",
  EDITOR: "As VISUAL, after it",
  HTTP_PROXY: "Proxy for requests over http; small letters do as well, and go first",
  HTTPS_PROXY: "Proxy for requests over https; small letters do as well, and go first",
  NO_PROXY: "Hosts that no proxy is used for, with commas between; small letters do as well, and go first",
  NODE_EXTRA_CA_CERTS: "File of certificate authorities to trust as well (PEM)",
  SSL_CERT_FILE: "As NODE_EXTRA_CA_CERTS",
  PATH: "Where git is, which is asked what it ignores",
  CI: "Anything but 0 or false: as --no-input, and no spinner",
  NO_COLOR: "Anything: no colours, no links and no spinner",
  FORCE_COLOR: "1: colours also where no terminal is; 0: none",
  CLICOLOR_FORCE: "1: as FORCE_COLOR",
  PLINTH_AGENT: "Identifier of the agent that trusts the id token in PLINTH_ID_TOKEN",
  PLINTH_ID_TOKEN: "Id token of a CI job, which is exchanged for a token of the agent",
  PLINTH_ALLOW_HTTP: "1: upgrade also without https",
  TERM: "dumb: as NO_COLOR",
  FORCE_HYPERLINK: "Links on a terminal: 0 for never, anything else for always",
  TERM_PROGRAM: "Which terminal this is: whether it shows links",
  VTE_VERSION: "Which version of the terminal library: whether it shows links",
  WT_SESSION: "Set by Windows Terminal, which shows links",
  SSH_CONNECTION: "Set: login shows a code instead of a browser",
  SSH_CLIENT: "As SSH_CONNECTION",
  SSH_TTY: "As SSH_CONNECTION",
  DISPLAY: "Unset, with WAYLAND_DISPLAY, on Linux: login shows a code instead of a browser",
  WAYLAND_DISPLAY: "See DISPLAY",
};

const globals: Flags = globalFlags;

/** Those that say what a flag says come first. */
export const environment: readonly Variable[] = [
  ...Object.entries(globals).flatMap(([name, { env, description }]) =>
    env === undefined ? [] : [{ name: env, flag: `--${name}`, description }],
  ),
  ...Object.entries(others).map(([name, description]) => ({ name, flag: null, description })),
];
