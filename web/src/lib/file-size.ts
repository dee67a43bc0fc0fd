// Sizes of what is stored, as people read them.
import { currentLanguage } from "../messages/language.ts";

const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** Of bytes: "0 B", "812 KB", "1.4 GB"; a KB has 1000. */
export function fileSize(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** step;
  const rounded = step > 0 && size < 10 ? Math.round(size * 10) / 10 : Math.round(size);
  return `${rounded.toLocaleString(currentLanguage(), { useGrouping: false })} ${units[step]}`;
}
