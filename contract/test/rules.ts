// The rules of who may do what, as a reference model of docs/reference/contract.md §2 and §5: the case of an operation names
// one, and the access matrix (domain/access/matrix.test.ts) compares it with the code for every caller. The module must not
// know how the code decides or loads.
import type { WorkspaceRole } from "../roles.ts";
import { scopes as everyScope, type Scope } from "../scopes.ts";

/** Who asks, in the contract's words. */
export interface Facts {
  readonly credential:
    | "none"
    | "malformed"
    | "unknown"
    | "expired"
    | "revoked"
    | "ended session"
    | "session"
    | "api key"
    | "agent"
    | "login"
    | "connected client"
    | "the command line's client"
    | "operator";
  /** Null: as many as there are. */
  readonly scopes: readonly Scope[] | null;
  /** In the workspace that everything is in, at the moment of asking. */
  readonly role: WorkspaceRole | null;
  /** Whether that is their personal workspace. */
  readonly owner: boolean;
  /** Whether they published the artifacts. */
  readonly made: boolean;
  /** The workspace that the credential counts in alone; `elsewhere` is one that its user administers. */
  readonly heldTo: "home" | "elsewhere" | null;
  /** Whether their email is on the artifacts' allowlists, and whether it is verified. */
  readonly listed: boolean;
  readonly verified: boolean;
  /** What came as `x-share-token` or grant cookie; `foreign` is of another artifact. */
  readonly link: "viewer" | "editor" | "expired" | "revoked" | "foreign" | null;
  /** Whether it came as the cookie. */
  readonly linkByCookie: boolean;
}

/** `pruned` is public, and its first version past retention; every other has its first version still. */
export const artifactStates = ["public", "public with edit", "private", "pruned", "deleted", "missing"] as const;
export type ArtifactState = (typeof artifactStates)[number];

/**
 * The states of things other than artifacts. `home` is where the principals have their roles; `another's` belongs to no
 * principal of the matrix; `own` is the caller's; `missing` never existed.
 */
export type OtherState =
  | "home"
  | "another's"
  | "own"
  | "missing"
  /** Of a change to an artifact's title, or to its address. */
  | `${ArtifactState}, title`
  | `${ArtifactState}, address`
  /** A move of the artifact's project: to the caller's own workspace, or to one in which no principal has a role. */
  | `${ArtifactState}, to own`
  | `${ArtifactState}, to another's`
  /** Of what a credential is made with: no more than the scope it takes to make it, or every scope. */
  | "within"
  | "wider"
  /** Where nothing is named. */
  | "plain";

export type State = ArtifactState | OtherState;

export type Outcome =
  | "success"
  /** Of a list: whether the artifact of the state, or its project, is in it. */
  | "success, shown"
  | "success, not shown"
  | "401 unauthenticated"
  | "401 token_expired"
  | "403 forbidden"
  | "403 insufficient_scope"
  | "404 not_found"
  | "404 version_expired"
  | "409 project_not_empty"
  | "409 last_admin"
  | "503 billing_unavailable";

type Judge = (who: Facts, state: State) => Outcome;

/** Who may call an operation, and the states that decide it. */
export interface Rule {
  /**
   * What the states are of: an artifact in the project and workspace that hold it, a workspace, a thing that belongs to a
   * person (a key, an invitation, a code), or nothing that is named.
   */
  readonly about: "artifact" | "workspace" | "thing" | "nothing";
  readonly states: readonly State[];
  readonly judge: Judge;
}

const aboutArtifacts = (judge: Judge, states: readonly State[] = artifactStates): Rule => ({
  about: "artifact",
  states,
  judge,
});
const aboutWorkspaces = (judge: Judge, ...states: State[]): Rule => ({ about: "workspace", states, judge });
const aboutThings = (judge: Judge, ...states: State[]): Rule => ({ about: "thing", states, judge });
const aboutNothing = (judge: Judge): Rule => ({ about: "nothing", states: ["plain"], judge });

/** What one artifact takes (docs/reference/contract.md §5, "Who"; §3 and §6 for audit and undelete). */
type Right = "read" | "update" | "share" | "access" | "audit" | "delete" | "undelete";

const refusals = {
  unauthenticated: "401 unauthenticated",
  expired: "401 token_expired",
  forbidden: "403 forbidden",
  scope: "403 insufficient_scope",
  hidden: "404 not_found",
} as const satisfies Record<string, Outcome>;

// --- the credential, by itself -------------------------------------------------------------------------------------

const isSomebody = ({ credential }: Facts): boolean =>
  credential === "session" ||
  credential === "api key" ||
  credential === "agent" ||
  credential === "login" ||
  credential === "connected client" ||
  credential === "the command line's client";

/** docs/reference/contract.md §5: elsewhere it has the rights of an anonymous caller. */
const countsAtHome = (who: Facts): boolean => isSomebody(who) && who.heldTo !== "elsewhere";

const roleAtHome = (who: Facts): WorkspaceRole | null => (countsAtHome(who) ? who.role : null);

const lacks = ({ scopes }: Facts, needed: readonly Scope[]): boolean =>
  scopes !== null && needed.some((scope) => !scopes.includes(scope));

/** 401, before anything else is looked at; `linked` is whether a good link of the artifact in question came. */
function atTheDoor(who: Facts, anyone: boolean, linked: boolean): Outcome | null {
  switch (who.credential) {
    case "malformed":
    case "unknown":
    case "revoked":
    case "operator":
      return refusals.unauthenticated;
    case "expired":
      return refusals.expired;
    case "none":
    // A browser goes on sending the cookie of a session that has ended.
    case "ended session":
      return anyone || linked ? null : refusals.unauthenticated;
    default:
      return null;
  }
}

/** "Changes of workspaces, members, invitations and keys need a session or a login token with agents:manage." */
function byOwnHand(who: Facts, hand: "session" | "login" | undefined): Outcome | null {
  if (hand === undefined || !isSomebody(who) || who.credential === "session") return null;
  if (hand === "session" || who.credential !== "login") return refusals.forbidden;
  return lacks(who, ["agents:manage"]) ? refusals.scope : null;
}

interface Needs {
  /** Whether it may be done without a credential. */
  readonly anyone?: boolean;
  readonly scopes?: readonly Scope[];
  readonly hand?: "session" | "login";
}

/** 401, then the 403 that the credential alone is the reason of. */
function byCredential(who: Facts, { anyone = false, scopes = [], hand }: Needs): Outcome | null {
  const refused = atTheDoor(who, anyone, false) ?? byOwnHand(who, hand);
  if (refused !== null) return refused;
  return isSomebody(who) && lacks(who, scopes) ? refusals.scope : null;
}

// --- an artifact -----------------------------------------------------------------------------------------------------

const isThere = (state: ArtifactState): boolean => state !== "missing" && state !== "deleted";
const isPublic = (state: ArtifactState): boolean => isThere(state) && state !== "private";

/** Deleting an artifact ends its links (docs/reference/contract.md §6). */
const goodLink = (who: Facts, state: ArtifactState): "viewer" | "editor" | null =>
  isThere(state) && (who.link === "viewer" || who.link === "editor") ? who.link : null;

/** The table "Who", without links; "delete what they made" for a member. */
function mayBySelf(who: Facts, right: Right, state: ArtifactState): boolean {
  const role = roleAtHome(who);
  const manages = role === "admin" || role === "member";
  const deletes = role === "admin" || (role === "member" && who.made);
  if (state === "missing") return false;
  if (state === "deleted") return (right === "undelete" && deletes) || (right === "audit" && manages);
  switch (right) {
    case "read":
      return isPublic(state) || role !== null || (countsAtHome(who) && who.listed && who.verified);
    case "update":
      return manages || (state === "public with edit" && countsAtHome(who));
    case "share":
    case "access":
    case "audit":
      return manages;
    case "delete":
    case "undelete":
      return deletes;
  }
}

function mayByLink(who: Facts, right: Right, state: ArtifactState): boolean {
  const link = goodLink(who, state);
  return (right === "read" && link !== null) || (right === "update" && link === "editor");
}

const sees = (who: Facts, state: ArtifactState): boolean =>
  mayBySelf(who, "read", state) || mayByLink(who, "read", state);

/** "A principal's own rights are tried first, then the link's (which no key scope limits)." */
function artifactJudge(right: Right, needs: Needs, thenFirstVersion = false): Judge {
  return (who, named) => {
    const state = named as ArtifactState;
    const refused = atTheDoor(who, needs.anyone ?? false, goodLink(who, state) !== null);
    if (refused !== null) return refused;
    const held = !isSomebody(who) || !lacks(who, needs.scopes ?? []);
    const allowed = (held && mayBySelf(who, right, state)) || mayByLink(who, right, state);
    if (allowed) return thenFirstVersion && state === "pruned" ? "404 version_expired" : "success";
    if (!held) return refusals.scope;
    return sees(who, state) ? refusals.forbidden : refusals.hidden;
  };
}

/** A favorite is kept for an account, so a share link alone does not do. */
const favoriteJudge: Judge = (who, state) => {
  const judged = artifactJudge("read", reads)(who, state);
  const bySelf = isSomebody(who) && !lacks(who, reads.scopes) && mayBySelf(who, "read", state as ArtifactState);
  return judged === "success" && !bySelf ? refusals.forbidden : judged;
};

/** Embedding shows what anyone may see: a valid credential and a share link neither help nor harm. */
const embedJudge: Judge = (who, state) => {
  const refused = byCredential(who, { anyone: true });
  if (refused !== null) return refused;
  const isPublic = state === "public" || state === "public with edit" || state === "pruned";
  return isPublic ? "success" : refusals.hidden;
};

/** Title and description take what updating takes; another address what publishing in the project takes. */
const patchJudge: Judge = (who, named) => {
  const [state, what] = named.split(", ") as [ArtifactState, "title" | "address"];
  const judged = artifactJudge("update", { scopes: ["artifacts:update"] })(who, state);
  if (judged !== "success" || what === "title") return judged;
  const role = roleAtHome(who);
  const bySelf = !lacks(who, ["artifacts:update"]) && (role === "member" || role === "admin");
  return bySelf ? "success" : refusals.forbidden;
};

// --- a project, which holds the one artifact of the state -----------------------------------------------------------

type ProjectRight = "see" | "publish" | "edit" | "delete" | "move";

/** A project is visible to its workspace and to every reader of an artifact in it. */
const seesProject = (who: Facts, state: ArtifactState): boolean =>
  state !== "missing" && (roleAtHome(who) !== null || sees(who, state));

/** `hidden`: slug availability and preview answer those who may create there, everyone else gets 404. */
function projectJudge(right: ProjectRight, needs: Needs, hidden = false): Judge {
  return (who, named) => {
    const state = named as ArtifactState;
    const refused = byCredential(who, needs);
    if (refused !== null) return refused;
    if (!seesProject(who, state)) return refusals.hidden;
    const role = roleAtHome(who);
    const isAdmin = role === "admin";
    const allowed = { see: true, publish: inRole(role), edit: inRole(role), delete: isAdmin, move: isAdmin }[right];
    if (!allowed) return hidden ? refusals.hidden : refusals.forbidden;
    return right === "delete" && isThere(state) ? "409 project_not_empty" : "success";
  };
}

/** Who may move it from where it is is then asked about where it is to stand; `home` is where it stands already. */
const moveJudge: Judge = (who, named) => {
  const [state, to] = named.split(", to ") as [ArtifactState, "own" | "another's" | undefined];
  const judged = projectJudge("move", { scopes: ["artifacts:update", "artifacts:create"] })(who, state);
  if (judged !== "success" || to === undefined) return judged;
  return to === "own" && (who.heldTo === null || who.owner) ? "success" : refusals.hidden;
};

const inRole = (role: WorkspaceRole | null): boolean => role === "member" || role === "admin";

// --- a workspace -----------------------------------------------------------------------------------------------------

type WorkspaceRight = "see" | "create projects" | "administer" | "bill" | "leave";

/** Table "In the workspace". A workspace in which the caller has no role is hidden. */
function workspaceJudge(right: WorkspaceRight, needs: Needs, hidden = false): Judge {
  return (who, state) => {
    const refused = byCredential(who, needs);
    if (refused !== null) return refused;
    // The owner inferred is the workspace that the credential is held to, otherwise the caller's own.
    if (state === "own" && who.heldTo !== "home") return "success";
    const role = state === "home" || state === "own" ? roleAtHome(who) : null;
    if (role === null) return refusals.hidden;
    if (right === "leave" && who.owner) return "409 last_admin";
    const allowed = {
      see: true,
      leave: true,
      "create projects": inRole(role),
      administer: role === "admin",
      bill: role === "admin" || role === "billing_admin",
    }[right];
    if (allowed) return "success";
    return hidden ? refusals.hidden : refusals.forbidden;
  };
}

/**
 * Operations that need Stripe, on an instance without it: an authorized caller is told that nothing is sold, and all others
 * get the refusal that they would get where plans are sold.
 */
const stripeJudge =
  (judge: Judge): Judge =>
  (who, state) => {
    const judged = judge(who, state);
    return judged === "success" ? "503 billing_unavailable" : judged;
  };

// --- lists ----------------------------------------------------------------------------------------------------------

const listJudge =
  (needs: Needs, shown: (who: Facts, state: ArtifactState) => boolean): Judge =>
  (who, state) =>
    byCredential(who, needs) ?? (shown(who, state as ArtifactState) ? "success, shown" : "success, not shown");

const listAtHomeJudge =
  (needs: Needs, shown: (who: Facts, state: ArtifactState) => boolean): Judge =>
  (who, state) =>
    byCredential(who, needs) ?? (roleAtHome(who) === null ? refusals.hidden : listJudge(needs, shown)(who, state));

const ofOwnWorkspaces = (who: Facts, state: ArtifactState): boolean => roleAtHome(who) !== null && isThere(state);
/** By the allowlist or by a share link, in a workspace that the caller does not belong to. */
const ofOthers = (who: Facts, state: ArtifactState): boolean =>
  roleAtHome(who) === null &&
  isThere(state) &&
  ((countsAtHome(who) && who.listed && who.verified) || goodLink(who, state) !== null);
const projectOfOwnWorkspaces = (who: Facts, state: ArtifactState): boolean =>
  roleAtHome(who) !== null && state !== "missing";

// --- what belongs to a person ---------------------------------------------------------------------------------------

const personJudge =
  (needs: Needs): Judge =>
  (who) =>
    byCredential(who, needs) ?? "success";

/**
 * `own` counts everywhere, so a credential that is held to one workspace cannot reach it. `home` is held to that
 * workspace, belongs to the author of the artifacts, and is managed by the workspace's admins.
 */
const ownJudge =
  (needs: Needs, atHome: (who: Facts) => boolean = () => false): Judge =>
  (who, state) =>
    byCredential(who, needs) ??
    ((state === "own" && who.heldTo === null) || (state === "home" && countsAtHome(who) && atHome(who))
      ? "success"
      : refusals.hidden);

/** Only a key's own user can rotate it; an admin who sees it among the workspace's keys gets 403. */
const rotateJudge: Judge = (who, state) => {
  const judged = ownJudge(login, ({ made }) => made)(who, state);
  const seesIt = state === "home" && roleAtHome(who) === "admin";
  return judged === refusals.hidden && seesIt ? refusals.forbidden : judged;
};

/** "Has at most the minter's scopes." */
const mintJudge =
  (needs: Needs): Judge =>
  (who, state) => {
    const refused = byCredential(who, needs);
    if (refused !== null) return refused;
    if (state === "wider" && lacks(who, everyScope)) return refusals.scope;
    if (state === "home" && roleAtHome(who) === null) return refusals.hidden;
    return state === "missing" ? refusals.hidden : "success";
  };

/** "The signed-in verified email must match." */
const acceptJudge: Judge = (who, state) => {
  const refused = byCredential(who, { hand: "login" });
  if (refused !== null) return refused;
  if (state === "missing") return refusals.hidden;
  return state === "own" && who.verified ? "success" : refusals.forbidden;
};

/** Things behind a URL or a code that any holder can use. */
const secretJudge =
  (needs: Needs): Judge =>
  (who, state) =>
    byCredential(who, needs) ?? (state === "missing" ? refusals.hidden : "success");

/** Good for one kind of credential, and said to be for that to any other. */
const credentialJudge =
  (...kinds: Facts["credential"][]): Judge =>
  (who) =>
    byCredential(who, {}) ?? (kinds.includes(who.credential) ? "success" : refusals.forbidden);

/** "With that token these routes work; every other caller gets 404." */
const operatorJudge: Judge = ({ credential }, state) =>
  credential === "operator" && state !== "missing" ? "success" : refusals.hidden;

/** "Token in `x-share-token`: what it opens"; one that opens nothing is as none. */
const resolveJudge: Judge = (who, state) => {
  const refused = byCredential(who, { anyone: true });
  if (refused !== null) return refused;
  if (who.linkByCookie) return refusals.hidden;
  return who.link === "foreign" || goodLink(who, state as ArtifactState) !== null ? "success" : refusals.hidden;
};

// --- what a credential needs ------------------------------------------------------------------------------------------

export const anyone = { anyone: true } as const;
export const anyoneReads = { anyone: true, scopes: ["artifacts:read"] } as const;
export const anyoneWhoCreates = { anyone: true, scopes: ["artifacts:create"] } as const;
export const anyCredential = {} as const;
export const reads = { scopes: ["artifacts:read"] } as const;
export const creates = { scopes: ["artifacts:create"] } as const;
export const updates = { scopes: ["artifacts:update"] } as const;
export const deletes = { scopes: ["artifacts:delete"] } as const;
export const shares = { scopes: ["artifacts:share"] } as const;
export const readsAccess = { scopes: ["artifacts:access:read"] } as const;
export const writesAccess = { scopes: ["artifacts:access:write"] } as const;
export const managesAgents = { scopes: ["agents:manage"] } as const;
export const login = { hand: "login" } as const;
export const session = { hand: "session" } as const;

// --- the rules that cases name ------------------------------------------------------------------------------------------

export const onArtifact = (right: Right, needs: Needs): Rule => aboutArtifacts(artifactJudge(right, needs));
/** On its first version, which may be past its retention. */
export const onFirstVersion = (right: Right, needs: Needs): Rule => aboutArtifacts(artifactJudge(right, needs, true));
export const onFavorite: Rule = aboutArtifacts(favoriteJudge);
export const onEmbed: Rule = aboutArtifacts(embedJudge);
/** The states say which field is changed: the title or the address. */
export const onPatch: Rule = aboutArtifacts(
  patchJudge,
  artifactStates.flatMap((state) => [`${state}, title`, `${state}, address`] as const),
);
export const onShareToken: Rule = aboutArtifacts(resolveJudge);
/** Without an artifact it is for everyone, about the workspaces that they administer. */
export const onAudit: Rule = aboutArtifacts(
  (who, state) => (state === "plain" ? personJudge(readsAccess) : artifactJudge("audit", readsAccess))(who, state),
  [...artifactStates, "plain"],
);

export const onProject = (right: ProjectRight, needs: Needs): Rule => aboutArtifacts(projectJudge(right, needs));
/** Who may not is told that it is not there. */
export const onHiddenProject = (right: ProjectRight, needs: Needs): Rule =>
  aboutArtifacts(projectJudge(right, needs, true));
/** The states say where to. */
export const onMove: Rule = aboutArtifacts(
  moveJudge,
  artifactStates.flatMap((state) => [state, `${state}, to own`, `${state}, to another's`] as const),
);

export const onWorkspace = (right: WorkspaceRight, needs: Needs): Rule =>
  aboutWorkspaces(workspaceJudge(right, needs), "home", "another's", "missing");
/** Where no workspace is named, it is the caller's. */
export const onWorkspaceOrOwn = (right: WorkspaceRight, needs: Needs): Rule =>
  aboutWorkspaces(workspaceJudge(right, needs), "home", "another's", "own", "missing");
export const onHiddenWorkspace = (right: WorkspaceRight, needs: Needs): Rule =>
  aboutWorkspaces(workspaceJudge(right, needs, true), "home", "another's", "missing");
export const atStripe: Rule = aboutWorkspaces(
  stripeJudge(workspaceJudge("bill", session)),
  "home",
  "another's",
  "missing",
);
export const atStripeOrOwn: Rule = aboutWorkspaces(atStripe.judge, "home", "another's", "own", "missing");

export const listOfSeen: Rule = aboutArtifacts(listJudge(anyoneReads, sees));
export const listOfOwnWorkspaces: Rule = aboutArtifacts(listJudge(reads, ofOwnWorkspaces));
export const listOfOthers: Rule = aboutArtifacts(listJudge(reads, ofOthers));
export const listOfOwnProjects: Rule = aboutArtifacts(listJudge(reads, projectOfOwnWorkspaces));
/** A list of what the caller marked, which is nothing in the access matrix. */
export const listOfMarked: Rule = aboutArtifacts(listJudge(reads, () => false));
export const listOfWorkspace: Rule = aboutArtifacts(listAtHomeJudge(reads, ofOwnWorkspaces));
export const projectsOfWorkspace: Rule = aboutArtifacts(listAtHomeJudge(reads, projectOfOwnWorkspaces));

export const byPerson = (needs: Needs): Rule => aboutNothing(personJudge(needs));
export const byCredentialOf = (...kinds: Facts["credential"][]): Rule => aboutNothing(credentialJudge(...kinds));
const anyonesThing = ["own", "home", "another's", "missing"] as const;
/** `atHome`: who else may, of a thing of the workspace. */
export const onOwn = (needs: Needs, atHome?: "author" | "author or admin"): Rule =>
  aboutThings(
    ownJudge(needs, (who) =>
      atHome === undefined ? false : who.made || (atHome === "author or admin" && roleAtHome(who) === "admin"),
    ),
    ...(atHome === undefined ? (["own", "another's", "missing"] as const) : anyonesThing),
  );
export const onOwnKey: Rule = aboutThings(rotateJudge, ...anyonesThing);
/** The states say what it is made with. */
export const onMinting = (needs: Needs): Rule => aboutThings(mintJudge(needs), "within", "wider", "home", "missing");
export const onInvitation: Rule = aboutThings(acceptJudge, "own", "another's", "missing");
export const onSecret = (needs: Needs): Rule => aboutThings(secretJudge(needs), "home", "missing");
export const byOperator: Rule = aboutNothing(operatorJudge);
export const byOperatorOn: Rule = aboutThings(operatorJudge, "home", "missing");
