// The size above which a form is parsed only for a signed-in visitor.
import { bodyBytesBeforeLookUp } from "@plinth/contract/limits";

/** Whether a form is longer than the API parses for a stranger. Forms without a length never come here. */
export const isLargeForm = ({ headers }: Request): boolean =>
  Number(headers.get("content-length") ?? 0) > bodyBytesBeforeLookUp;
