// Every operation of the registry and its handler; of a write, what it changes of the rows that processes answer from memory
// (docs/architecture/leases.md). A missing one does not compile.
import type { OperationName } from "@plinth/contract/registry";

import { audienceOf } from "./sharing/audience.ts";
import { explainAccess } from "./sharing/explain.ts";
import { accessOf, updateAccess } from "./sharing/update.ts";
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
import { updateProjectAccess } from "./artifacts/update-project-access.ts";
import { checkout, openPortal } from "./billing/checkout.ts";
import { getBilling, refreshBilling } from "./billing/get.ts";
import { listInvoices } from "./billing/invoices.ts";
import { listPlans } from "./billing/plans.ts";
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
import { decideConsent, describeConsent } from "./identity/oauth/authorize.ts";
import { decideDevice, describeDevice } from "./identity/oauth/device.ts";
import { listProviders } from "./identity/providers.ts";
import { createSignInLink, describeSignInLink } from "./identity/sign-in-links.ts";
import { listJobs, retryJob, runJob } from "./operator/jobs.ts";
import { createUserApiKey } from "./operator/keys.ts";
import { stats } from "./operator/stats.ts";
import { createUser } from "./operator/users.ts";
import { setMember, setPlan } from "./operator/workspaces.ts";
import { getProfile, updateProfile } from "./profile.ts";
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
import { createUpload, createUploadForArtifact } from "./files/one-time-upload.ts";
import { acceptInvitation } from "./workspaces/accept.ts";
import { describeInvitation } from "./workspaces/describe-invitation.ts";
import { createTeam } from "./workspaces/create.ts";
import { listInvitations, revokeInvitation } from "./workspaces/invitations.ts";
import { createInvitation } from "./workspaces/invite.ts";
import { listWorkspaces } from "./workspaces/list.ts";
import { leaveWorkspace, listMembers, removeMember, setMemberRole } from "./workspaces/manage-members.ts";

const handlers: Handlers = {
  "artifact.create": { changes: "nothing", prepare: prepareArtifact, handle: createArtifact },
  "artifact.createInWorkspace": { changes: "nothing", prepare: prepareArtifact, handle: createArtifact },
  "artifact.list": listArtifacts,
  "artifact.listMine": listMyArtifacts,
  "artifact.get": (context, _input, artifact) => presentArtifact(context, artifact),
  "artifact.getByPath": getByPath,
  "artifact.put": { changes: "answered", prepare: planPut, handle: putArtifact },
  "artifact.getBySourcePath": (context, _input, artifact) => presentArtifact(context, artifact),
  "artifact.patch": { changes: "artifact", handle: patchArtifact },
  "artifact.listViews": listViews,
  "artifact.listFormerAddresses": listArtifactFormerAddresses,
  // No row is kept by a former address.
  "artifact.releaseFormerAddress": { changes: "nothing", handle: releaseArtifactAddress },
  "artifact.delete": { changes: "artifact", handle: deleteArtifact },
  "artifact.undelete": { changes: "artifact", handle: undeleteArtifact },
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
  // A mark is seen by its person alone.
  "favorite.add": { changes: "nothing", handle: addFavorite },
  "favorite.remove": { changes: "nothing", handle: removeFavorite },
  "favorite.list": listFavorites,
  "recent.list": listRecents,
  "recent.clear": { changes: "nothing", handle: clearRecents },
  "access.get": (_context, _input, artifact) => accessOf(artifact),
  "access.audience": audienceOf,
  "access.update": { changes: "artifact", handle: updateAccess },
  "access.explain": explainAccess,
  "shareLink.create": { changes: "nothing", handle: createShareLink },
  "shareLink.list": listShareLinks,
  "shareLink.revoke": { changes: "nothing", handle: revokeShareLink },
  "shareLink.resolve": resolveShareLink,
  "audit.list": listAuditEvents,
  "audit.listInWorkspace": listWorkspaceAuditEvents,
  "version.create": { changes: "artifact", prepare: prepareVersion, handle: createVersion },
  "version.edit": { changes: "artifact", prepare: prepareEdit, handle: editVersion },
  "version.list": listVersions,
  "version.content": (_context, input, loaded) => readSource(input, loaded),
  "version.diff": diffVersions,
  "version.restore": { changes: "artifact", handle: restoreVersion },
  "version.patch": { changes: "artifact", handle: nameVersion },
  "version.packages": listPackages,
  // The locks of a version are read beside its row.
  "version.retryPackages": { changes: "nothing", handle: retryPackages },
  "version.files": listFiles,
  "version.archive": archiveDocument,
  "version.file": (_context, _input, loaded) => fileDocument(loaded),
  "file.missing": missingFiles,
  "file.upload": { changes: "nothing", handle: uploadFile },
  "file.missingOfArtifact": missingFilesOfArtifact,
  "file.uploadToArtifact": { changes: "nothing", handle: uploadFileToArtifact },
  "upload.create": { changes: "nothing", handle: createUpload },
  "upload.createForArtifact": { changes: "nothing", handle: createUploadForArtifact },
  "project.create": { changes: "nothing", handle: createProject },
  "project.listMine": listMyProjects,
  "project.getByPath": getProjectByPath,
  "project.documents": listDocuments,
  "project.update": { changes: "everything", handle: updateProject },
  "project.updateAccess": { changes: "everything", handle: updateProjectAccess },
  "project.move": { changes: "everything", handle: moveProject },
  "project.listFormerAddresses": listProjectFormerAddresses,
  "project.releaseFormerAddress": { changes: "nothing", handle: releaseProjectAddress },
  "project.delete": { changes: "everything", handle: deleteProject },
  "project.slugAvailability": projectSlugAvailability,
  health,
  "profile.get": getProfile,
  // The username is in the address of everything of the person.
  "profile.update": { changes: "everything", handle: updateProfile },
  "workspace.list": listWorkspaces,
  "workspace.create": { changes: "nothing", handle: createTeam },
  "workspace.projects": listWorkspaceProjects,
  "workspace.artifacts": listWorkspaceArtifacts,
  "workspace.draftTicket": workspaceDraftTicket,
  "member.list": listMembers,
  "member.leave": { changes: "nothing", handle: leaveWorkspace },
  "member.setRole": { changes: "nothing", handle: setMemberRole },
  "member.remove": { changes: "nothing", handle: removeMember },
  "invitation.create": { changes: "nothing", handle: createInvitation },
  "invitation.list": listInvitations,
  "invitation.revoke": { changes: "nothing", handle: revokeInvitation },
  "invitation.describe": describeInvitation,
  "invitation.accept": { changes: "nothing", handle: acceptInvitation },
  "apiKey.list": listApiKeys,
  "apiKey.create": { changes: "nothing", handle: createApiKey },
  "apiKey.revoke": { changes: "nothing", handle: revokeApiKey },
  "apiKey.rotate": { changes: "nothing", handle: rotateApiKey },
  "agent.list": listAgents,
  "agent.create": { changes: "nothing", handle: createAgent },
  "agent.exchangeLogin": { changes: "nothing", handle: exchangeLogin },
  "agent.revokeCurrent": { changes: "nothing", handle: revokeCurrentAgent },
  "agent.revoke": { changes: "nothing", handle: revokeAgent },
  "mcp.listConnections": listMcpConnections,
  "session.list": listSessions,
  "session.end": { changes: "nothing", handle: endSession },
  "identity.providers": listProviders,
  "identity.describeSignInLink": describeSignInLink,
  "billing.plans": listPlans,
  "billing.get": getBilling,
  // A plan decides how long versions are kept, which their readers see.
  "billing.refresh": { changes: "everything", handle: refreshBilling },
  "billing.invoices": listInvoices,
  "billing.checkout": { changes: "everything", handle: checkout },
  "billing.portal": { changes: "everything", handle: openPortal },
  "oauth.describeConsent": describeConsent,
  "oauth.decideConsent": { changes: "nothing", handle: decideConsent },
  "oauth.describeDevice": describeDevice,
  "oauth.decideDevice": { changes: "nothing", handle: decideDevice },
  "operator.createUser": { changes: "nothing", handle: createUser },
  "operator.createApiKey": { changes: "nothing", handle: createUserApiKey },
  "operator.createSignInLink": { changes: "nothing", handle: createSignInLink },
  "operator.setPlan": { changes: "everything", handle: setPlan },
  "operator.setMember": { changes: "nothing", handle: setMember },
  "operator.listJobs": listJobs,
  // Jobs tell by themselves (jobs/run.ts).
  "operator.retryJob": { changes: "nothing", handle: retryJob },
  "operator.runJob": { changes: "nothing", handle: runJob },
  "operator.stats": stats,
};

/** The stages of an operation; most have the handler alone. */
export function stagesOf(name: OperationName): AnyStages {
  const found = handlers[name];
  return (typeof found === "function" ? { handle: found } : found) as AnyStages;
}
