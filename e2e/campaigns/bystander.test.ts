// The short form of `bun run campaign bystander`: without times, an attack of each family. Under each attack every request of the bystander
// succeeds, the attack gets the statuses it should, and the server's memory stays bounded.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { bystander } from "./bystander.ts";
import { runShortForm } from "./short-form.ts";

test(
  "bystander: under each attack no request of another workspace fails and memory stays bounded",
  () => runShortForm("bystander", bystander),
  5 * hung,
);
