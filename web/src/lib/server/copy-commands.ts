// The operations of a page as commands for other surfaces of this instance.
import type { Input, OperationName } from "@plinth/contract/registry";
import type { RequestEvent } from "@sveltejs/kit";
import type { CopyAs } from "#lib/copy-as.ts";
import { copyAs } from "./copy-as.ts";
import { platformOf } from "./platform.ts";

/** As `copyAs`, for the instance that is asked. */
export const copyCommandsOf =
  (event: RequestEvent) =>
  <Name extends OperationName>(about: string, name: Name, input: Input<Name>): CopyAs =>
    copyAs(platformOf(event).publicUrl, about, name, input);
