// `fetch` as the environment settles it: proxies and extra certificate authorities. The executable's runtime honours these
// variables itself; Node 20 honours NODE_EXTRA_CA_CERTS alone.
import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";

import { usage } from "../failure/failure.ts";
import type { Environment } from "../environment.ts";
import { variable } from "./needs-own-fetch.ts";

export type Fetch = (request: Request, init?: RequestInit) => Promise<Response>;

/** Makes that fetch. @throws Failure usage where a proxy or a file of certificates cannot be used */
export async function environmentFetch(env: Environment): Promise<Fetch> {
  const { Agent, EnvHttpProxyAgent, fetch } = await import("undici");
  const connect = tlsOf(env);
  const direct = new Agent({ connect });
  const proxies = { "http:": variable(env, "HTTP_PROXY"), "https:": variable(env, "HTTPS_PROXY") };
  const proxied = new EnvHttpProxyAgent({
    httpProxy: proxyOf("HTTP_PROXY", proxies["http:"]),
    httpsProxy: proxyOf("HTTPS_PROXY", proxies["https:"]),
    noProxy: variable(env, "NO_PROXY") ?? "",
    connect,
    requestTls: connect,
    proxyTls: connect,
    // A request over http is handed to the proxy as it is: many open no tunnel to a port other than 443.
    proxyTunnel: false,
  });
  return async (request, init) => {
    const { protocol } = new URL(request.url);
    const dispatcher = proxies[protocol as keyof typeof proxies] === undefined ? direct : proxied;
    const body = request.body === null ? null : await request.arrayBuffer();
    const { status, headers, ...answer } = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      body,
      redirect: "manual",
      signal: init?.signal ?? request.signal,
      dispatcher,
    }).then(async (response) => ({
      status: response.status,
      headers: [...response.headers] as [string, string][],
      bytes: await response.arrayBuffer(),
    }));
    return new Response(answer.bytes.byteLength === 0 ? null : answer.bytes, { status, headers });
  };
}

/** A value without a scheme is a host, as curl takes it. */
function proxyOf(name: string, value: string | undefined): string {
  if (value === undefined) return "";
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw usage(`${name} is not the address of an http or https proxy`, { hint: "Give it as http://proxy.example:8080" });
}

/** The authorities of Node and those of the files; a list that is given takes the place of Node's own. */
function tlsOf(env: Environment): { readonly ca?: string[] } {
  const files = [
    { name: "SSL_CERT_FILE", path: env["SSL_CERT_FILE"] ?? "" },
    { name: "NODE_EXTRA_CA_CERTS", path: env["NODE_EXTRA_CA_CERTS"] ?? "" },
  ].filter(({ path }) => path !== "");
  if (files.length === 0) return {};
  return { ca: [...rootCertificates, ...files.map(({ name, path }) => certificates(name, path))] };
}

function certificates(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw usage(`${name} names a file that cannot be read`, { cause: error });
  }
}
