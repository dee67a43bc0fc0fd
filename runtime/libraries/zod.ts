// zod as it is where no code may be made from text: without this it tries once, and the policy's report of that would
// tell readers of something blocked.
import { config } from "zod";

config({ jitless: true });

export * from "zod";
export { default } from "zod";
