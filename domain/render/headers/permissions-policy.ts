// Every feature a browser can delegate to a document, denied. Some are gone from today's Chromium, which
// says so on its console; older ones still grant them by default.

const FEATURES =
  "accelerometer aria-notify attribution-reporting autoplay bluetooth browsing-topics camera " +
  "captured-surface-control clipboard-read clipboard-write compute-pressure cross-origin-isolated " +
  "deferred-fetch deferred-fetch-minimal digital-credentials-create digital-credentials-get " +
  "display-capture encrypted-media fullscreen gamepad geolocation gyroscope hid " +
  "identity-credentials-get idle-detection join-ad-interest-group keyboard-map language-detector " +
  "language-model local-fonts local-network-access magnetometer microphone midi " +
  "on-device-speech-recognition otp-credentials payment picture-in-picture " +
  "private-state-token-issuance private-state-token-redemption publickey-credentials-create " +
  "publickey-credentials-get rewriter run-ad-auction screen-wake-lock serial shared-storage " +
  "shared-storage-select-url speaker-selection storage-access summarizer sync-xhr translator unload " +
  "usb web-share window-management writer xr-spatial-tracking";

/** The value of a Permissions-Policy header that denies everything. */
export const permissionsPolicy = FEATURES.split(" ")
  .map((feature) => `${feature}=()`)
  .join(", ");
