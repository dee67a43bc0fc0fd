// Recognizes public network addresses: hosts named by strangers must not lead to the instance's own network.
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registries (RFC 6890 and its successors), multicast and what is reserved. */
const special = listOf("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/** The global unicast addresses; of these the ones below stand for others. */
const global6 = listOf("ipv6", [["2000::", 3]]);
const special6 = listOf("ipv6", [
  // Teredo, ORCHID and others that are no separate hosts.
  ["2001::", 23],
  ["2001:db8::", 32],
  // 6to4, which leads to an IPv4 address.
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
]);

/** Whether an IP address is one of the public network; false for text that is no address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !special.check(address, "ipv4");
  return version === 6 && global6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

function listOf(family: "ipv4" | "ipv6", networks: readonly (readonly [address: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
  return list;
}
