// Signing in with a browser on any other machine: a code to enter there, and polling here (RFC 8628).
import type * as OAuth from "oauth4webapi";

import type { Context } from "../command/context.ts";
import { Failure, clientFailure } from "../failure/failure.ts";
import { oneLine } from "../terminal/style.ts";
import {
  oauthClient,
  discover,
  loadOAuth,
  onOrigin,
  notSignedIn,
  signInFailure,
  type Server,
} from "./authorization-server.ts";

/** Seconds: what the standard adds when told to slow down, and what any wait is held to. */
const slowDown = 5;
const interval = { least: 1, most: 60, standard: 5 } as const;

/** Shows the code and waits until it has been entered. @throws Failure unauthenticated, unavailable */
export async function signInByDevice<Value>(
  context: Context,
  use: (accessToken: string) => Promise<Value>,
): Promise<Value> {
  const server = await discover(context);
  const { as, client, options } = server;
  if (as.device_authorization_endpoint === undefined)
    throw clientFailure("unavailable", `${context.settings.baseUrl} has no sign-in by code`, {
      hint: "Sign in on a machine with a browser, or bring a key",
      next: "plinth login --token-stdin",
    });
  try {
    const oauth = await loadOAuth();
    const response = await oauth.deviceAuthorizationRequest(
      as,
      client,
      oauth.None(),
      { scope: oauthClient.scope },
      options,
    );
    const device = await oauth.processDeviceAuthorizationResponse(as, client, response);
    context.secrets.add(device.device_code);
    await show(context, device);
    return await use(await poll(context, server, device));
  } catch (error) {
    throw await signInFailure(error);
  }
}

async function show({ io, settings }: Context, device: OAuth.DeviceAuthorizationResponse): Promise<void> {
  const { baseUrl, webUrl } = settings;
  const place = (address: string) => oneLine(webUrl === baseUrl ? address : onOrigin(address, webUrl));
  const whole = device.verification_uri_complete;
  await io.stderr.write(
    [
      `To sign in to ${baseUrl}, open in any browser:`,
      `  ${place(device.verification_uri)}`,
      "and enter the code:",
      `  ${oneLine(device.user_code)}`,
      ...(whole === undefined ? [] : [`Or open both at once: ${place(whole)}`]),
      `The code is good for ${Math.max(1, Math.round(device.expires_in / 60))} minutes. Waiting …`,
      "",
    ].join("\n"),
  );
}

async function poll({ io }: Context, server: Server, device: OAuth.DeviceAuthorizationResponse): Promise<string> {
  const { as, client, options } = server;
  const oauth = await loadOAuth();
  let wait = device.interval ?? interval.standard;
  for (let waited = 0; waited < device.expires_in; waited += wait) {
    wait = Math.min(Math.max(wait, interval.least), interval.most);
    await io.sleep(wait * 1000);
    try {
      const response = await oauth.deviceCodeGrantRequest(as, client, oauth.None(), device.device_code, options);
      return (await oauth.processDeviceCodeResponse(as, client, response)).access_token;
    } catch (error) {
      const refusal = error instanceof oauth.ResponseBodyError ? error.error : null;
      if (!isWorthAnotherPoll(error, refusal)) throw error;
      if (refusal === null || refusal === "slow_down") wait += slowDown;
    }
  }
  throw notSignedIn("The code has expired before anyone entered it");
}

/** Not entered yet, too soon, or a network that comes and goes. */
const isWorthAnotherPoll = (error: unknown, refusal: string | null): boolean =>
  refusal === null
    ? error instanceof Failure && error.retryable
    : refusal === "authorization_pending" || refusal === "slow_down";
