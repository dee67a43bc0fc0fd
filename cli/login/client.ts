// The command line as an OAuth client.
import { scopes } from "@plinth/contract/scopes";

export const commandLine = { clientId: "plinth-cli", callbackPath: "/callback", scope: scopes.join(" ") } as const;

/** How long a person may take in the browser, in milliseconds. */
export const patience = 5 * 60_000;
