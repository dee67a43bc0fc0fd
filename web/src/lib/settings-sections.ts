// The parts of the settings.

export const settingsSections = [
  { path: "/settings/account", title: "Account", text: "Your username, your name and how you are known." },
  {
    path: "/settings/appearance",
    title: "Appearance",
    text: "Light or dark in this browser, and the keys of the pages.",
  },
  { path: "/settings/sessions", title: "Sessions", text: "The browsers you are signed in with." },
  { path: "/settings/keys", title: "API keys", text: "For programs of yours: CI jobs, scripts, the command line." },
  { path: "/settings/connect", title: "Connect", text: "Claude Code, Codex, Cursor, VS Code, Claude: one line each." },
  { path: "/settings/agents", title: "Agents", text: "Agents, command-line logins and connected clients." },
  { path: "/settings/workspaces", title: "Workspaces", text: "Where you publish, who else is there, and invitations." },
  { path: "/settings/billing", title: "Billing", text: "Plan, seats, what is used of it, and invoices." },
  { path: "/settings/deleted", title: "Deleted", text: "What was deleted in the last 30 days, to bring back." },
] as const;
