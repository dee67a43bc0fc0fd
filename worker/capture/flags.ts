// The browser's command-line flags. Where there is a kernel namespace, it denies the network; where there is none, only
// the flags of `withoutNetwork` do. Both are always set.

interface FlagOptions {
  /** The browser's profile, a new one for each start. */
  readonly profile: string;
  /** Chromium's own sandbox; off only where the machine cannot provide it. */
  readonly hasSandbox: boolean;
  /** Off only in the test of the namespace without these flags. */
  readonly deniesNetwork?: boolean;
}

export const browserFlags = ({ profile, hasSandbox, deniesNetwork = true }: FlagOptions): string[] => [
  ...plain,
  ...(deniesNetwork ? withoutNetwork : []),
  ...(hasSandbox ? [] : ["--no-sandbox"]),
  `--disable-features=${[...calls, ...surprises].join(",")}`,
  `--user-data-dir=${profile}`,
];

// No name is resolved, not even the proxy's, and every request goes to the proxy, including loopback.
const withoutNetwork = [
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://nowhere.invalid:9",
  "--proxy-bypass-list=<-loopback>",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
];

/** Requests that a browser makes unprompted: update checks, telemetry, speculative connections. */
const calls = [
  "AsyncDns",
  "CertificateTransparencyComponentUpdater",
  "DialMediaRouteProvider",
  "InterestFeedContentSuggestions",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "Prerender2",
  "SafeBrowsing",
  "SpeculationRulesPrefetchFuture",
];

/**
 * Features that would show something other than the document: another scheme, a bubble, the previous page for a moment
 * longer.
 */
const surprises = [
  "GlobalMediaControls",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "PaintHolding",
  "Translate",
];

const plain = [
  "--headless",
  "--remote-debugging-pipe",
  "--no-startup-window",
  "--no-first-run",
  "--no-default-browser-check",
  "--no-pings",
  "--no-service-autorun",
  "--block-new-web-contents",
  "--deny-permission-prompts",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-hang-monitor",
  "--disable-print-preview",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--disk-cache-size=1",
  "--enable-unsafe-swiftshader",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
  "--js-flags=--max-old-space-size=384",
  "--metrics-recording-only",
  "--mute-audio",
  "--password-store=basic",
  "--use-mock-keychain",
];
