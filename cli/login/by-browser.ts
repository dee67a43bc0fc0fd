// Signing in with the browser of this machine: authorization code with PKCE, state, and a loopback address.
import type { Context } from "../command/context.ts";
import {
  oauthClient,
  discover,
  loadOAuth,
  notSignedIn,
  signInTimeout,
  signInFailure,
  type Server,
} from "./authorization-server.ts";
import { listen, type Loopback, signedInPage, signInFailedPage } from "./loopback.ts";

/**
 * Sends the person to the browser and hands what comes back to `use`; the browser is told how that ended.
 * @throws Failure unauthenticated, unavailable
 */
export async function signInByBrowser<Value>(
  context: Context,
  use: (accessToken: string) => Promise<Value>,
): Promise<Value> {
  const server = await discover(context);
  const loopback = await listen(oauthClient.callbackPath);
  let outcome = signInFailedPage;
  try {
    const value = await use(await authorize(context, server, loopback));
    outcome = signedInPage;
    return value;
  } catch (error) {
    throw await signInFailure(error);
  } finally {
    await loopback.close(outcome);
  }
}

async function authorize(context: Context, { as, client, options }: Server, loopback: Loopback): Promise<string> {
  const oauth = await loadOAuth();
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint ?? as.issuer);
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: loopback.address,
    scope: oauthClient.scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  await show(context, address.href);
  const answer = oauth.validateAuthResponse(as, client, await withSignInTimeout(context, loopback.answer), state);
  const code = answer.get("code");
  if (code !== null) context.secrets.add(code);
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    client,
    oauth.None(),
    answer,
    loopback.address,
    verifier,
    options,
  );
  const { access_token } = await oauth.processAuthorizationCodeResponse(as, client, response);
  return access_token;
}

/** The URL is always printed: the browser that opens may be the wrong one, or none. */
async function show({ io, settings }: Context, address: string): Promise<void> {
  const opened = await io.openBrowser(address);
  const how = opened
    ? `Sign in to ${settings.baseUrl} in the browser that opens now. If none does, go to:`
    : `No browser could be started. To sign in to ${settings.baseUrl}, go to (on this machine):`;
  await io.stderr.write(`${how}\n  ${address}\n`);
}

/** @throws Failure unauthenticated after the timeout */
async function withSignInTimeout<Value>({ io }: Context, answer: Promise<Value>): Promise<Value> {
  const settled = new AbortController();
  const late = io.sleep(signInTimeout, settled.signal).then(
    () => Promise.reject(notSignedIn(`No sign-in within ${signInTimeout / 60_000} minutes`)),
    // Aborted: the answer is there.
    () => answer,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    settled.abort();
  }
}
