// The answer of a WebRTC peer that no one sent. A page that accepts it makes the browser send to the address, without
// asking a server.

/** The host and port of the peer, which a datagram or a connection then reaches. */
export const webrtcAnswer = (host: string, port: string | number, protocol: "udp" | "tcp" = "udp"): string =>
  [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    "a=ice-ufrag:abcd",
    "a=ice-pwd:abcdefghijklmnopqrstuvwx",
    `a=fingerprint:sha-256 ${Array(32).fill("AB").join(":")}`,
    "a=setup:active",
    "a=mid:0",
    "a=sctp-port:5000",
    `a=candidate:1 1 ${protocol} 2130706431 ${host} ${port} typ host${protocol === "tcp" ? " tcptype passive" : ""}`,
    "",
  ].join("\r\n");
