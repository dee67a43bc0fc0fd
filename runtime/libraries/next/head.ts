// next/head for one document: React itself puts titles and metadata into the head.
import type { ReactNode } from "react";

export default function Head({ children }: { children?: ReactNode }): ReactNode {
  return children;
}
