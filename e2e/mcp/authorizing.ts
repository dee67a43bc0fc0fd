// A program that authorizes itself by OAuth, and the browser in which its person decides. Knows only the URL of an MCP
// endpoint.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from "@modelcontextprotocol/client";
import type { BrowserContext } from "playwright-core";

import { untilScriptRuns } from "../harness/browser.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { hung } from "../harness/process.ts";

export type Era = "legacy" | "auto";

type Kept<Name extends "tokens" | "clientInformation" | "discoveryState"> = Awaited<
  ReturnType<NonNullable<OAuthClientProvider[Name]>>
>;

/** A page of the consent screen, before anything is pressed. */
type Decide = (said: string) => "Allow" | "Deny";

export class Program {
  readonly name: string;
  readonly #endpoint: URL;
  readonly #person: BrowserContext;
  readonly #era: Era;
  readonly #callback = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      this.#arrived?.(new URL(request.url));
      return new Response("You can go back to your program.");
    },
  });
  #arrived: ((at: URL) => void) | undefined;
  tokens: Kept<"tokens">;
  client: Kept<"clientInformation">;
  /** Where its person was sent, in turn. */
  readonly asked: URL[] = [];
  /** What its person read there. */
  readonly read: string[] = [];
  /** Statuses of the endpoint's answers, in turn. */
  readonly statuses: number[] = [];
  decide: Decide = () => "Allow";
  #answer: URL | undefined;
  #verifier = "";
  #discovered: Kept<"discoveryState">;

  constructor(name: string, endpoint: string, person: BrowserContext, era: Era) {
    this.name = name;
    this.#endpoint = new URL(endpoint);
    this.#person = person;
    this.#era = era;
  }

  /** Connects and works; where its person has to be asked, once more with their answer, three times at most. */
  async run<Value>(work: (client: Client) => Promise<Value>): Promise<Value> {
    for (let round = 0; ; round++) {
      this.#answer = undefined;
      const transport = new StreamableHTTPClientTransport(this.#endpoint, {
        authProvider: this.#provider(),
        fetch: async (url, init) => {
          const answer = await fetch(url, init);
          if (new URL(url).pathname === this.#endpoint.pathname) this.statuses.push(answer.status);
          return answer;
        },
      });
      const client = new Client({ name: this.name, version: "1.0" }, { versionNegotiation: { mode: this.#era } });
      try {
        await client.connect(transport);
        return await work(client);
      } catch (error) {
        const answer = this.#given();
        if (!(error instanceof UnauthorizedError) || answer === undefined || round === 3) throw error;
        await transport.finishAuth(answer.searchParams);
      } finally {
        await client.close();
      }
    }
  }

  /** A tool's answer. */
  call(tool: string, given: Record<string, unknown> = {}) {
    return this.run((client) => client.callTool({ name: tool, arguments: given }));
  }

  close(): Promise<void> {
    return this.#callback.stop(true);
  }

  #given(): URL | undefined {
    return this.#answer;
  }

  #provider(): OAuthClientProvider {
    const redirectUrl = `http://127.0.0.1:${this.#callback.port}/callback`;
    return {
      redirectUrl,
      clientMetadata: { client_name: this.name, redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" },
      state: () => "a state",
      clientInformation: () => this.client,
      saveClientInformation: (saved) => void (this.client = saved),
      tokens: () => this.tokens,
      saveTokens: (saved) => {
        trackSecret(saved.access_token);
        if (saved.refresh_token !== undefined) trackSecret(saved.refresh_token);
        this.tokens = saved;
      },
      invalidateCredentials: (scope) => {
        if (scope === "tokens" || scope === "all") this.tokens = undefined;
      },
      codeVerifier: () => this.#verifier,
      saveCodeVerifier: (saved) => void (this.#verifier = trackSecret(saved)),
      saveDiscoveryState: (saved) => void (this.#discovered = saved),
      discoveryState: () => this.#discovered,
      redirectToAuthorization: (url) => this.#ask(url),
    };
  }

  /** Opens the address in the person's browser, and waits until they have decided. */
  async #ask(url: URL): Promise<void> {
    this.asked.push(url);
    const arrived = new Promise<URL>((resolve) => (this.#arrived = resolve));
    const page = await this.#person.newPage();
    page.setDefaultTimeout(hung);
    await page.goto(url.href);
    const said = await page.getByRole("main").innerText();
    this.read.push(said);
    // Without script the form is answered with the way back alone.
    await untilScriptRuns(page);
    await page.getByRole("button", { name: this.decide(said) }).click();
    this.#answer = await arrived;
    const code = this.#answer.searchParams.get("code");
    if (code !== null) trackSecret(code);
    await page.close();
  }
}
