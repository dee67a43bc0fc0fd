// Commands that install the command line from an instance. The landing page, an empty dashboard, the settings page,
// llms.txt and SKILL.md show them.

/** The line for a terminal on Linux or macOS. */
export function installLine(publicUrl: string): string {
  // Without https the script requires that its user allows it.
  const variables = isTrusted(new URL(publicUrl)) ? "" : "PLINTH_ALLOW_HTTP=1 ";
  return `curl -fsSL ${publicUrl}/install.sh | ${variables}sh`;
}

/** The line for any system with Node 20 or newer. */
export const npmLine = (publicUrl: string): string => `npm install --global ${publicUrl}/cli.tgz`;

const isTrusted = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || hostname === "localhost" || hostname === "127.0.0.1";
