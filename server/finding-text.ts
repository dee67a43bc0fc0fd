// Formats a doctor's finding for a terminal.
import type { Finding } from "@plinth/domain/doctor/examine";

export function findingText({ name, problems, examples }: Finding): string {
  if (problems === 0) return `ok    ${name}\n`;
  return `${String(problems).padStart(4)}  ${name}\n${examples.map((example) => `        ${example}\n`).join("")}`;
}
