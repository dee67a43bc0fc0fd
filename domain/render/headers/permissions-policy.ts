// Every feature that a browser can delegate to a document, denied. Left out are nine that make Chromium log an error for
// each reader. Nothing is lost: bluetooth, web-share, writer and rewriter are denied by default to a frame of an opaque
// origin with an empty `allow`, and the five advertising features work in no opaque origin.

const FEATURES =
  "accelerometer aria-notify autoplay browsing-topics camera captured-surface-control clipboard-read " +
  "clipboard-write compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal " +
  "digital-credentials-create digital-credentials-get display-capture encrypted-media fullscreen " +
  "gamepad geolocation gyroscope hid identity-credentials-get idle-detection keyboard-map " +
  "language-detector language-model local-fonts local-network-access magnetometer microphone midi " +
  "on-device-speech-recognition otp-credentials payment picture-in-picture " +
  "private-state-token-issuance private-state-token-redemption publickey-credentials-create " +
  "publickey-credentials-get screen-wake-lock serial speaker-selection storage-access summarizer " +
  "sync-xhr translator unload usb window-management xr-spatial-tracking";

/** The value of a Permissions-Policy header that denies everything. */
export const permissionsPolicy = FEATURES.split(" ")
  .map((feature) => `${feature}=()`)
  .join(", ");
