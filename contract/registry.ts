// Every operation by its name. All surfaces, OpenAPI and the authorization matrix iterate over this object; an
// operation that is not in it cannot be called.
import * as access from "./operations/access.ts";
import * as artifacts from "./operations/artifacts.ts";
import * as billing from "./operations/billing.ts";
import * as credentials from "./operations/credentials.ts";
import * as files from "./operations/files.ts";
import * as instance from "./operations/instance.ts";
import * as oauth from "./operations/oauth.ts";
import * as operator from "./operations/operator.ts";
import * as projects from "./operations/projects.ts";
import * as versions from "./operations/versions.ts";
import * as workspaces from "./operations/workspaces.ts";
import type { InputOf, Operation, OutputOf } from "./operation.ts";

export const registry = {
  "artifact.create": artifacts.createArtifact,
  "artifact.createInWorkspace": artifacts.createArtifactInWorkspace,
  "artifact.list": artifacts.listArtifacts,
  "artifact.listMine": artifacts.listMyArtifacts,
  "artifact.get": artifacts.getArtifact,
  "artifact.getByPath": artifacts.getArtifactByPath,
  "artifact.getBySourcePath": artifacts.getArtifactBySourcePath,
  "artifact.patch": artifacts.updateArtifact,
  "artifact.delete": artifacts.deleteArtifact,
  "artifact.undelete": artifacts.undeleteArtifact,
  "artifact.slugAvailability": artifacts.artifactSlugAvailability,
  "artifact.urlPreview": artifacts.slugPreview,
  "artifact.ticket": artifacts.contentTicket,
  "artifact.draftTicket": artifacts.draftTicket,
  "artifact.preview": artifacts.previewArtifact,
  "artifact.thumbnail": artifacts.getThumbnail,
  "artifact.watch": artifacts.watchArtifact,
  "access.get": access.getAccess,
  "access.audience": access.getAudience,
  "access.update": access.updateAccess,
  "access.explain": access.explainAccess,
  "shareLink.create": access.createShareLink,
  "shareLink.list": access.listShareLinks,
  "shareLink.revoke": access.revokeShareLink,
  "shareLink.resolve": access.resolveShareLink,
  "audit.list": access.listAuditEvents,
  "audit.listInWorkspace": access.listWorkspaceAuditEvents,
  "version.create": versions.createVersion,
  "version.edit": versions.editVersion,
  "version.list": versions.listVersions,
  "version.content": versions.getContent,
  "version.diff": versions.diffVersions,
  "version.restore": versions.restoreVersion,
  "version.packages": versions.listPackages,
  "version.retryPackages": versions.retryPackages,
  "version.files": files.listFiles,
  "version.file": files.readFile,
  "file.missing": files.missingFiles,
  "file.upload": files.uploadFile,
  "file.missingOfArtifact": files.missingFilesOfArtifact,
  "file.uploadToArtifact": files.uploadFileToArtifact,
  "project.create": projects.createProject,
  "project.listMine": projects.listMyProjects,
  "project.getByPath": projects.getProjectByPath,
  "project.update": projects.updateProject,
  "project.move": projects.moveProject,
  "project.delete": projects.deleteProject,
  "project.slugAvailability": projects.projectSlugAvailability,
  health: instance.health,
  "profile.get": instance.getProfile,
  "profile.update": instance.updateProfile,
  "workspace.list": workspaces.listWorkspaces,
  "workspace.create": workspaces.createWorkspace,
  "workspace.projects": workspaces.listWorkspaceProjects,
  "workspace.artifacts": workspaces.listWorkspaceArtifacts,
  "workspace.draftTicket": workspaces.workspaceDraftTicket,
  "member.list": workspaces.listMembers,
  "member.leave": workspaces.leaveWorkspace,
  "member.setRole": workspaces.setMemberRole,
  "member.remove": workspaces.removeMember,
  "invitation.create": workspaces.createInvitation,
  "invitation.list": workspaces.listInvitations,
  "invitation.revoke": workspaces.revokeInvitation,
  "invitation.accept": workspaces.acceptInvitation,
  "apiKey.list": credentials.listApiKeys,
  "apiKey.create": credentials.createApiKey,
  "apiKey.revoke": credentials.revokeApiKey,
  "apiKey.rotate": credentials.rotateApiKey,
  "agent.list": credentials.listAgents,
  "agent.create": credentials.createAgent,
  "agent.exchangeLogin": credentials.exchangeLogin,
  "agent.revokeCurrent": credentials.revokeCurrentAgent,
  "agent.revoke": credentials.revokeAgent,
  "mcp.listConnections": credentials.listMcpConnections,
  "session.list": credentials.listSessions,
  "session.end": credentials.endSession,
  "identity.providers": credentials.listProviders,
  "identity.describeSignInLink": credentials.describeSignInLink,
  "billing.plans": billing.listPlans,
  "billing.get": billing.getBilling,
  "billing.refresh": billing.refreshBilling,
  "billing.invoices": billing.listInvoices,
  "billing.checkout": billing.checkout,
  "billing.portal": billing.openPortal,
  "oauth.describeConsent": oauth.describeConsent,
  "oauth.decideConsent": oauth.decideConsent,
  "oauth.describeDevice": oauth.describeDevice,
  "oauth.decideDevice": oauth.decideDevice,
  "operator.createUser": operator.createUser,
  "operator.createApiKey": operator.createUserApiKey,
  "operator.createSignInLink": operator.createSignInLink,
  "operator.setPlan": operator.setPlan,
  "operator.setMember": operator.setMember,
  "operator.listJobs": operator.listJobs,
  "operator.retryJob": operator.retryJob,
  "operator.runJob": operator.runJob,
  "operator.stats": operator.stats,
} as const;

export type Registry = typeof registry;
export type OperationName = keyof Registry;
export type Input<Name extends OperationName> = InputOf<Registry[Name]>;
export type Output<Name extends OperationName> = OutputOf<Registry[Name]>;

/** The operations as plain descriptions, for iteration. */
export const operations: readonly (Operation & { readonly name: OperationName })[] = Object.values(registry);
