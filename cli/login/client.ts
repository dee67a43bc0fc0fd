// The command line as an OAuth client of the instance.
import { commandLineClient } from "@plinth/contract/oauth";
import { scopes } from "@plinth/contract/scopes";

export const commandLine = {
  clientId: commandLineClient.clientId,
  /** The port is another one each time. */
  callbackPath: new URL(commandLineClient.redirectUris[0]).pathname,
  /** All there are: the person may hold the login to fewer when they consent. */
  scope: scopes.join(" "),
} as const;

/** How long a person may take in the browser, in milliseconds. */
export const patience = 5 * 60_000;
