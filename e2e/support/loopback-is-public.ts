// Loaded ahead of an instance by a test (BUN_OPTIONS=--preload): takes one address of loopback for a public one, so that
// the instance fetches from a site of the test. The instance's own code has no such exception.
import { BlockList } from "node:net";

/** The address at which a test serves its site. */
export const publicLoopback = "127.0.0.9";

const check: unknown = Reflect.get(BlockList.prototype, "check");
if (typeof check !== "function") throw new Error("lists of addresses are checked otherwise now");
Reflect.set(BlockList.prototype, "check", function (this: BlockList, address: string, family: string): unknown {
  return address === publicLoopback ? false : Reflect.apply(check, this, [address, family]);
});
