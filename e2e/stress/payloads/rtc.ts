// WebRTC: packets to any host, which connect-src does not restrict.
import { webrtcAnswer } from "@plinth/support/webrtc-answer";

import { family, script, type Target } from "./payload.ts";

const offer = (servers: string, more = "") => `
  const peer = new RTCPeerConnection({ iceServers: [${servers}]${more} });
  peer.createDataChannel("x"); await peer.setLocalDescription(await peer.createOffer());
  window.kept = [...(window.kept ?? []), peer];`;
const credentials = `username: "x", credential: "y"`;
/** Takes the answer of a peer at that address. */
const answered = (address: string, protocol?: "udp" | "tcp"): string => {
  const { hostname, port } = new URL(`udp://${address}`);
  const sdp = JSON.stringify(webrtcAnswer(hostname, port, protocol));
  return `await peer.setRemoteDescription({ type: "answer", sdp: ${sdp} });`;
};

/** A candidate of its choice, from the window in which it runs. */
const candidate = ({ datagrams }: Target): string => `(async () => { ${offer("")} ${answered(datagrams)} })()`;

export const rtc = family("rtc", {
  stun: script(({ datagrams }) => offer(`{ urls: "stun:${datagrams}" }`)),
  "stun-by-query": script(({ datagrams }) => offer(`{ urls: ["stun:${datagrams}"] }`, `, iceCandidatePoolSize: 4`)),
  turn: script(({ datagrams }) => offer(`{ urls: "turn:${datagrams}?transport=udp", ${credentials} }`)),
  "turn-stream": script(({ socket }) => offer(`{ urls: "turn:${socket}?transport=tcp", ${credentials} }`)),
  "turn-secret": script(({ socket }) => offer(`{ urls: "turns:${socket}?transport=tcp", ${credentials} }`)),
  "relay-only": script(({ datagrams }) =>
    offer(`{ urls: "turn:${datagrams}", ${credentials} }`, `, iceTransportPolicy: "relay"`),
  ),
  "cookie-as-user": script(({ socket }) =>
    offer(`{ urls: "turn:${socket}?transport=tcp", username: "kept", credential: "y" }`),
  ),
  "candidate-datagrams": script(({ datagrams }) => `${offer("")} ${answered(datagrams)}`),
  "candidate-added": script(
    ({ datagrams }) => `${offer("")} ${answered("192.0.2.99:9")}
      await peer.addIceCandidate({ sdpMid: "0", candidate: "candidate:2 1 udp 2130706430 ${datagrams.replace(":", " ")} typ host" });`,
  ),
  "candidate-stream": script(({ socket }) => `${offer("")} ${answered(socket, "tcp")}`),
  "set-later": script(
    ({ datagrams }) =>
      `${offer("")} peer.setConfiguration({ iceServers: [{ urls: "stun:${datagrams}" }] }); peer.restartIce(); await peer.setLocalDescription(await peer.createOffer({ iceRestart: true }));`,
  ),
  "from-blob-frame": script(
    (target) => `const f = document.createElement("iframe");
    f.src = URL.createObjectURL(new Blob(["<script>" + ${JSON.stringify(candidate(target))} + "</" + "script>"], { type: "text/html" }));
    document.body.append(f);`,
  ),
  "from-inner-frame-candidate": script(
    (target) => `const f = document.createElement("iframe"); document.body.append(f);
    const { RTCPeerConnection } = f.contentWindow; await ${candidate(target)};`,
  ),
  "from-inner-frame": script(
    ({ datagrams }) => `const f = document.createElement("iframe"); document.body.append(f);
    const peer = new f.contentWindow.RTCPeerConnection({ iceServers: [{ urls: "stun:${datagrams}" }] });
    peer.createDataChannel("x"); await peer.setLocalDescription(await peer.createOffer()); window.kept = peer;`,
  ),
});
