// Every operation of the registry and its handler. A missing one does not compile.
import type { OperationName } from "@plinth/contract/registry";

import { accessOf } from "./sharing/access-of.ts";
import { audienceOf } from "./sharing/audience.ts";
import { explainAccess } from "./sharing/explain.ts";
import { updateAccess } from "./sharing/update.ts";
import { artifactSlugAvailability, projectSlugAvailability, slugPreview } from "./addresses.ts";
import { createArtifact, prepareArtifact } from "./artifacts/create.ts";
import { getProjectByPath, listDocuments } from "./artifacts/documents-in-order.ts";
import { listArtifactFormerAddresses, releaseArtifactAddress } from "./artifacts/former-addresses.ts";
import { deleteArtifact, undeleteArtifact } from "./artifacts/delete.ts";
import { listArtifacts, listMyArtifacts, listWorkspaceArtifacts } from "./artifacts/list.ts";
import { listViews } from "./artifacts/page-views.ts";
import { clearRecents, listRecents } from "./artifacts/recents.ts";
import { addFavorite, listFavorites, listSharedArtifacts, removeFavorite } from "./artifacts/favorites.ts";
import { describeEmbed } from "./artifacts/oembed.ts";
import { patchArtifact } from "./artifacts/patch.ts";
import { getByPath } from "./artifacts/by-path.ts";
import { presentArtifact } from "./artifacts/present.ts";
import { checkout } from "./billing/checkout.ts";
import { getBilling } from "./billing/get.ts";
import { listInvoices } from "./billing/invoices.ts";
import { listPlans } from "./billing/plans.ts";
import { openPortal } from "./billing/portal.ts";
import { refreshBilling } from "./billing/refresh.ts";
import { artifactDraftTicket, publicDraftTicket, workspaceDraftTicket } from "./content/draft-ticket.ts";
import { contentTicket } from "./content/ticket.ts";
import { createAgent, listAgents, revokeAgent } from "./credentials/agents.ts";
import { createApiKey, listApiKeys, revokeApiKey } from "./credentials/api-keys.ts";
import { exchangeLogin } from "./credentials/login.ts";
import { listMcpConnections } from "./credentials/mcp-connections.ts";
import { revokeCurrentAgent } from "./credentials/revoke-current.ts";
import { rotateApiKey } from "./credentials/rotate.ts";
import { endSession, listSessions } from "./credentials/sessions.ts";
import type { AnyStages, Handlers } from "./handler.ts";
import { health } from "./health.ts";
import { decideConsent, describeConsent } from "./identity/oauth/consent.ts";
import { decideDevice, describeDevice } from "./identity/oauth/device.ts";
import { listProviders } from "./identity/providers.ts";
import { createSignInLink, describeSignInLink } from "./identity/sign-in-links.ts";
import { listJobs, retryJob, runJob } from "./operator/jobs.ts";
import { createUserApiKey } from "./operator/keys.ts";
import { stats } from "./operator/stats.ts";
import { createUser } from "./operator/users.ts";
import { setMember, setPlan } from "./operator/workspaces.ts";
import { getProfile } from "./profile.ts";
import { updateProfile } from "./profile-update.ts";
import { createProject } from "./projects/create.ts";
import { listProjectFormerAddresses, releaseProjectAddress } from "./projects/former-addresses.ts";
import { deleteProject } from "./projects/delete.ts";
import { listMyProjects, listWorkspaceProjects } from "./projects/list.ts";
import { moveProject } from "./projects/move.ts";
import { updateProject } from "./projects/update.ts";
import { listAuditEvents, listWorkspaceAuditEvents } from "./audit/list.ts";
import { createShareLink } from "./sharing/create.ts";
import { listShareLinks } from "./sharing/list.ts";
import { resolveShareLink } from "./sharing/resolve.ts";
import { revokeShareLink } from "./sharing/revoke.ts";
import { previewArtifact } from "./thumbnails/preview.ts";
import { showThumbnail } from "./thumbnails/show.ts";
import { diffVersions } from "./versions/diff.ts";
import { editVersion, prepareEdit } from "./versions/edit.ts";
import { listVersions } from "./versions/list.ts";
import { nameVersion } from "./versions/name.ts";
import { listPackages, retryPackages } from "./versions/packages.ts";
import { createVersion, prepareVersion, restoreVersion } from "./versions/publish.ts";
import { putArtifact } from "./versions/put.ts";
import { planPut } from "./versions/put-plan.ts";
import { readSource } from "./versions/source.ts";
import { watchArtifact } from "./events/watch.ts";
import { archiveDocument } from "./files/archive.ts";
import { fileDocument, listFiles } from "./files/read.ts";
import { missingFiles, missingFilesOfArtifact, uploadFile, uploadFileToArtifact } from "./files/upload.ts";
import { createUpload, createUploadForArtifact } from "./files/upload-ticket.ts";
import { acceptInvitation } from "./workspaces/accept.ts";
import { describeInvitation } from "./workspaces/describe-invitation.ts";
import { createTeam } from "./workspaces/create.ts";
import { listInvitations, revokeInvitation } from "./workspaces/invitations.ts";
import { createInvitation } from "./workspaces/invite.ts";
import { listWorkspaces } from "./workspaces/list.ts";
import { leaveWorkspace, listMembers, removeMember, setMemberRole } from "./workspaces/manage-members.ts";

const handlers: Handlers = {
  "artifact.create": { prepare: prepareArtifact, handle: createArtifact },
  "artifact.createInWorkspace": { prepare: prepareArtifact, handle: createArtifact },
  "artifact.list": listArtifacts,
  "artifact.listMine": listMyArtifacts,
  "artifact.get": (context, _input, artifact) => presentArtifact(context, artifact),
  "artifact.getByPath": getByPath,
  "artifact.put": { prepare: planPut, handle: putArtifact },
  "artifact.getBySourcePath": (context, _input, artifact) => presentArtifact(context, artifact),
  "artifact.patch": patchArtifact,
  "artifact.listViews": listViews,
  "artifact.listFormerAddresses": listArtifactFormerAddresses,
  "artifact.releaseFormerAddress": releaseArtifactAddress,
  "artifact.delete": deleteArtifact,
  "artifact.undelete": undeleteArtifact,
  "artifact.slugAvailability": artifactSlugAvailability,
  "artifact.urlPreview": slugPreview,
  "artifact.ticket": contentTicket,
  "artifact.draftTicket": artifactDraftTicket,
  "artifact.publicDraftTicket": publicDraftTicket,
  "artifact.preview": previewArtifact,
  "artifact.thumbnail": showThumbnail,
  "artifact.oembed": describeEmbed,
  "artifact.watch": watchArtifact,
  "artifact.listShared": listSharedArtifacts,
  "favorite.add": addFavorite,
  "favorite.remove": removeFavorite,
  "favorite.list": listFavorites,
  "recent.list": listRecents,
  "recent.clear": clearRecents,
  "access.get": (_context, _input, artifact) => accessOf(artifact),
  "access.audience": audienceOf,
  "access.update": updateAccess,
  "access.explain": explainAccess,
  "shareLink.create": createShareLink,
  "shareLink.list": listShareLinks,
  "shareLink.revoke": revokeShareLink,
  "shareLink.resolve": resolveShareLink,
  "audit.list": listAuditEvents,
  "audit.listInWorkspace": listWorkspaceAuditEvents,
  "version.create": { prepare: prepareVersion, handle: createVersion },
  "version.edit": { prepare: prepareEdit, handle: editVersion },
  "version.list": listVersions,
  "version.content": (_context, input, loaded) => readSource(input, loaded),
  "version.diff": diffVersions,
  "version.restore": restoreVersion,
  "version.patch": nameVersion,
  "version.packages": listPackages,
  "version.retryPackages": retryPackages,
  "version.files": listFiles,
  "version.archive": archiveDocument,
  "version.file": (_context, _input, loaded) => fileDocument(loaded),
  "file.missing": missingFiles,
  "file.upload": uploadFile,
  "file.missingOfArtifact": missingFilesOfArtifact,
  "file.uploadToArtifact": uploadFileToArtifact,
  "upload.create": createUpload,
  "upload.createForArtifact": createUploadForArtifact,
  "project.create": createProject,
  "project.listMine": listMyProjects,
  "project.getByPath": getProjectByPath,
  "project.documents": listDocuments,
  "project.update": updateProject,
  "project.move": moveProject,
  "project.listFormerAddresses": listProjectFormerAddresses,
  "project.releaseFormerAddress": releaseProjectAddress,
  "project.delete": deleteProject,
  "project.slugAvailability": projectSlugAvailability,
  health,
  "profile.get": getProfile,
  "profile.update": updateProfile,
  "workspace.list": listWorkspaces,
  "workspace.create": createTeam,
  "workspace.projects": listWorkspaceProjects,
  "workspace.artifacts": listWorkspaceArtifacts,
  "workspace.draftTicket": workspaceDraftTicket,
  "member.list": listMembers,
  "member.leave": leaveWorkspace,
  "member.setRole": setMemberRole,
  "member.remove": removeMember,
  "invitation.create": createInvitation,
  "invitation.list": listInvitations,
  "invitation.revoke": revokeInvitation,
  "invitation.describe": describeInvitation,
  "invitation.accept": acceptInvitation,
  "apiKey.list": listApiKeys,
  "apiKey.create": createApiKey,
  "apiKey.revoke": revokeApiKey,
  "apiKey.rotate": rotateApiKey,
  "agent.list": listAgents,
  "agent.create": createAgent,
  "agent.exchangeLogin": exchangeLogin,
  "agent.revokeCurrent": revokeCurrentAgent,
  "agent.revoke": revokeAgent,
  "mcp.listConnections": listMcpConnections,
  "session.list": listSessions,
  "session.end": endSession,
  "identity.providers": listProviders,
  "identity.describeSignInLink": describeSignInLink,
  "billing.plans": listPlans,
  "billing.get": getBilling,
  "billing.refresh": refreshBilling,
  "billing.invoices": listInvoices,
  "billing.checkout": checkout,
  "billing.portal": openPortal,
  "oauth.describeConsent": describeConsent,
  "oauth.decideConsent": decideConsent,
  "oauth.describeDevice": describeDevice,
  "oauth.decideDevice": decideDevice,
  "operator.createUser": createUser,
  "operator.createApiKey": createUserApiKey,
  "operator.createSignInLink": createSignInLink,
  "operator.setPlan": setPlan,
  "operator.setMember": setMember,
  "operator.listJobs": listJobs,
  "operator.retryJob": retryJob,
  "operator.runJob": runJob,
  "operator.stats": stats,
};

/** The stages of an operation; most have the handler alone. */
export function stagesOf(name: OperationName): AnyStages {
  const found = handlers[name];
  return (typeof found === "function" ? { handle: found } : found) as AnyStages;
}
