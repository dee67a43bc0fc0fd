// The HTTP response to a refused credential, by which OAuth clients find the authorization server and the scopes (RFC
// 6750, RFC 9728): 401 with the resource's metadata, 403 with the scopes that the tool requires.
import type { AppError } from "@plinth/contract/errors";
import { findTool } from "@plinth/contract/mcp/tools";
import { scopesOf } from "@plinth/contract/operation";
import { oauthPaths } from "@plinth/contract/oauth";
import { scopes, usualScopes, type Scope } from "@plinth/contract/scopes";

interface Challenge {
  readonly status: 401 | 403;
  readonly header: string;
}

/** The request that was refused. */
export interface Asked {
  /** Whether there was a credential at all: a response without one gives no error code (RFC 6750, 3.1). */
  readonly hasCredential: boolean;
  /** The tools that were called. */
  readonly toolNames: readonly string[];
  /** The scopes of the credential, which the client must not lose when it asks for more. */
  readonly held?: readonly Scope[];
}

export function challengeFor(
  { code, extra }: AppError,
  { hasCredential, toolNames, held = [] }: Asked,
  publicUrl: string,
): Challenge {
  const metadata = `resource_metadata="${publicUrl}${oauthPaths.resourceMetadata}/mcp"`;
  const taken = toolNames.flatMap(scopesOfTool);
  if (code === "insufficient_scope") {
    const wanted = scopeList([...held, extra["requiredScope"] as Scope, ...taken]);
    return { status: 403, header: `Bearer realm="plinth", error="insufficient_scope", ${wanted}, ${metadata}` };
  }
  const error = hasCredential ? `error="invalid_token", ` : "";
  return {
    status: 401,
    header: `Bearer realm="plinth", ${error}${scopeList([...usualScopes, ...taken])}, ${metadata}`,
  };
}

function scopesOfTool(toolName: string): readonly Scope[] {
  const tool = findTool(toolName);
  return tool === undefined ? [] : scopesOf(tool.operation);
}

const scopeList = (wanted: readonly Scope[]): string =>
  `scope="${scopes.filter((scope) => wanted.includes(scope)).join(" ")}"`;
