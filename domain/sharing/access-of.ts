// The access object in the order and the form in which it is answered and recorded (docs/reference/contract.md §3,
// "Access object").
import type { Access } from "@plinth/contract/schemas/artifact";

import type { ArtifactRow } from "../access/resource.ts";

type Columns = Pick<ArtifactRow, "publicView" | "publicEdit" | "viewerEmails">;

export const accessOf = ({ publicView, publicEdit, viewerEmails }: Columns): Access => ({
  publicView,
  publicEdit,
  viewerEmails: [...viewerEmails],
});
