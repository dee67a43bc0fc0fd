// The flags that the browser is started with. The kernel's namespace is what keeps it from the network where there is
// one; the flags of `noWayOut` alone do where there is none, and both are there always.

export interface FlagOptions {
  /** The browser's profile, its own for each start. */
  readonly profile: string;
  /** Chromium's own sandbox; off only where the machine can't give it one. */
  readonly hasSandbox: boolean;
  /** Off only in the test of the namespace without them. */
  readonly hasWalls?: boolean;
}

export const browserFlags = ({ profile, hasSandbox, hasWalls = true }: FlagOptions): string[] => [
  ...plain,
  ...(hasWalls ? noWayOut : []),
  ...(hasSandbox ? [] : ["--no-sandbox"]),
  `--disable-features=${[...calls, ...surprises].join(",")}`,
  `--user-data-dir=${profile}`,
];

// No name is resolved, not even the proxy's own, and everything is sent to the proxy, loopback too.
const noWayOut = [
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://nowhere.invalid:9",
  "--proxy-bypass-list=<-loopback>",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
];

/** What a browser does of its own accord: asks for updates, announces itself, connects ahead of need. */
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

/** What would show something else than the document: another scheme, a bubble, the last page a moment longer. */
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
