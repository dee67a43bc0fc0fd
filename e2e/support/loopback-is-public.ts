// Loaded ahead of an instance by a test (BUN_OPTIONS=--preload): takes one address of loopback for a public one, so that
// the instance fetches from a site of the test. The instance's own code has no such exception.
import { BlockList } from "node:net";

/** The address at which a test serves its site. */
export const publicLoopback = "127.0.0.9";

const { check } = BlockList.prototype;
BlockList.prototype.check = function (this: BlockList, address: string, family: "ipv4" | "ipv6"): boolean {
  return address !== publicLoopback && check.call(this, address, family);
} as typeof check;
