// The lines by which common agents connect to this instance, for tabs.
import { connectingClients } from "@plinth/contract/guides/connect";
import type { Command } from "#lib/publish-commands.ts";

/** Those that a line or a file is enough for, as tabs have room. */
const namedClients = ["claude-code", "codex", "cursor", "vscode"];

export const agentCommands = (publicUrl: string): Command[] =>
  connectingClients(publicUrl)
    .filter(({ id, snippets }) => namedClients.includes(id) && snippets.length > 0)
    .map(({ name, snippets }) => ({ surface: name ?? "", code: snippets[0]?.code ?? "", output: "" }));
