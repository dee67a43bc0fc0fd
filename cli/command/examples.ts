// An example for every command that brings none: its required flags with values one would really give.
import type { Flags } from "../flags/flags.ts";

const samples: Readonly<Record<string, string>> = {
  "artifact-id": "art_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "workspace-id": "wsp_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "user-id": "usr_01jd8w3c5t7k9m2n4p6q8r0s1v",
  owner: "ada",
  "project-slug": "demo",
  slug: "report",
  title: "Report",
  name: "ci",
  username: "ada",
  email: "ada@example.com",
  scopes: "artifacts:read,artifacts:create",
  from: "1",
  to: "2",
  version: "2",
  "invitation-token": "http://localhost:3000/invitations/accept#6f1c…",
  "api-key-id": "key_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "agent-id": "agt_01jd8w3c5t7k9m2n4p6q8r0s1v",
  "invitation-id": "inv_01jd8w3c5t7k9m2n4p6q8r0s1v",
  role: "member",
  content: "-",
};

/** The command's words with its required flags; content comes from a file. */
export function exampleOf(path: string, flags: Flags): string {
  const required = Object.entries(flags).filter(([, flag]) => flag.required);
  const words = required.map(([name, flag]) => {
    if (name === "content") return "--file report.md";
    return flag.type === "boolean" ? `--${name}` : `--${name} ${samples[name] ?? flag.values?.[0] ?? "text"}`;
  });
  return ["plinth", path, ...words].join(" ");
}
