// The parts of the settings.
import { settingsTexts } from "#messages/settings.ts";

/** In the language of the page. */
export function settingsSections(): { path: string; title: string; text: string }[] {
  const text = settingsTexts();
  return [
    { path: "/settings/account", title: text.account, text: text.accountText },
    { path: "/settings/appearance", title: text.appearance, text: text.appearanceText },
    { path: "/settings/sessions", title: text.sessions, text: text.sessionsText },
    { path: "/settings/keys", title: text.keys, text: text.keysText },
    { path: "/settings/connect", title: text.connect, text: text.connectText },
    { path: "/settings/agents", title: text.agents, text: text.agentsText },
    { path: "/settings/workspaces", title: text.workspaces, text: text.workspacesText },
    { path: "/settings/billing", title: text.billing, text: text.billingText },
    { path: "/settings/deleted", title: text.trash, text: text.trashText },
  ];
}
