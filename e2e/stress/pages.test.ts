// The short form of `bun run stress pages`: a page of each kind, as one of its viewers.
import { test } from "bun:test";

import { hung } from "../harness/process.ts";
import { pages } from "./pages.ts";
import { runShortForm } from "./short-form.ts";

test(pages.claim, () => runShortForm("pages", pages), 5 * hung);
