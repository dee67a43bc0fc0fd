// The entry of undici.js in the npm package (scripts/build-cli.ts): the parts of undici that are used behind a proxy.
export { Agent, EnvHttpProxyAgent, fetch } from "undici";
