// Tells the page around a document which features of the reader's device and browser the sandbox refuses it, when the document
// asks for one: the browser's refusal itself says nothing to the reader.
import { tellPage } from "./links.ts";

/** Methods of `navigator` and of its parts, by the name of the feature that the page shows. */
const methods: readonly (readonly [feature: string, owner: () => object | undefined, names: readonly string[]])[] = [
  ["geolocation", () => navigator.geolocation, ["getCurrentPosition", "watchPosition"]],
  ["camera, microphone", () => navigator.mediaDevices, ["getUserMedia"]],
  ["screen capture", () => navigator.mediaDevices, ["getDisplayMedia"]],
  ["notifications", () => part(window, "Notification"), ["requestPermission"]],
  ["MIDI", () => navigator, ["requestMIDIAccess"]],
  ["sharing", () => navigator, ["share"]],
  ["screen wake lock", () => part(navigator, "wakeLock"), ["request"]],
  ["persistent storage", () => part(navigator, "storage"), ["persist", "getDirectory"]],
  ["Bluetooth", () => part(navigator, "bluetooth"), ["requestDevice"]],
  ["USB", () => part(navigator, "usb"), ["requestDevice"]],
  ["HID", () => part(navigator, "hid"), ["requestDevice"]],
  ["serial ports", () => part(navigator, "serial"), ["requestPort"]],
  ["passwords and passkeys", () => part(navigator, "credentials"), ["get", "create"]],
];

function part(of: object, name: string): object | undefined {
  const found: unknown = Reflect.get(of, name);
  return typeof found === "function" || (typeof found === "object" && found !== null) ? found : undefined;
}

/** Said once for each feature. */
const said = new Set<string>();

export function tellRefused(feature: string): void {
  if (said.has(feature)) return;
  said.add(feature);
  tellPage({ type: "plinth:blocked", directive: "feature", address: feature });
}

export function tellRefusedFeatures(): void {
  for (const [feature, ownerOf, names] of methods) {
    const owner = ownerOf();
    if (owner === undefined) continue;
    for (const name of names) {
      const original: unknown = Reflect.get(owner, name);
      if (typeof original !== "function") continue;
      const value = (...given: unknown[]): unknown => {
        tellRefused(feature);
        return Reflect.apply(original, owner, given);
      };
      Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    }
  }
}
