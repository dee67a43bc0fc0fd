// Metadata of the authorization server and the protected resources (RFC 8414, RFC 9728). Written here rather than by
// the plugin, which would promise features that are not served.
import { deviceGrant, oauthPaths, tokenExchange } from "@plinth/contract/oauth";
import { scopes } from "@plinth/contract/scopes";

import { mcpResource } from "./clients.ts";

const clientAuthentication = ["none", "client_secret_basic", "client_secret_post"];

export const grantTypes = ["authorization_code", "refresh_token", deviceGrant] as const;

export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + oauthPaths.authorize,
  token_endpoint: publicUrl + oauthPaths.token,
  registration_endpoint: publicUrl + oauthPaths.register,
  revocation_endpoint: publicUrl + oauthPaths.revoke,
  device_authorization_endpoint: publicUrl + oauthPaths.device,
  scopes_supported: scopes,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  // Agents exchange tokens; no client registers for it.
  grant_types_supported: [...grantTypes, tokenExchange.grant],
  token_endpoint_auth_methods_supported: clientAuthentication,
  revocation_endpoint_auth_methods_supported: clientAuthentication,
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [mcpResource(publicUrl), publicUrl],
  service_documentation: `${publicUrl}/docs`,
});

/** Of the MCP endpoint, or of the instance as a whole. */
export const resourceMetadata = (publicUrl: string, resource: string) => ({
  resource,
  resource_name: "Plinth",
  authorization_servers: [publicUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ["header"],
  resource_documentation: `${publicUrl}/docs`,
});
