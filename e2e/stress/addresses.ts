// Random creations, renames, moves, deletions and undeletions of artifacts, projects and owners, one after the other,
// against a reference model: every address that was ever given out leads to its artifact, or nowhere once that is deleted.
import { ProblemError, type Client } from "@plinth/contract/client";

import { startInstance } from "../harness/instance.ts";
import { clientOf, createPerson, operatorOf, signIn, type Person } from "../harness/people.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";

interface Workspace {
  readonly workspaceId: string;
  readonly person: Person;
  name: string;
  renames: number;
}

interface Project {
  readonly projectId: string;
  workspace: Workspace;
  slug: string;
  isDeleted: boolean;
}

interface Artifact {
  readonly artifactId: string;
  project: Project;
  slug: string;
  isDeleted: boolean;
}

/** An address as it was given out: to which artifact, and which place in which project it named. */
interface Given {
  /** Null where none was ever at the place. */
  readonly artifact: Artifact | null;
  readonly place: string;
}

const slugs = Array.from({ length: 9 }, (_, n) => `page-${n}`);
const projectSlugs = Array.from({ length: 6 }, (_, n) => `project-${n}`);
const artifactsAtMost = 60;
const projectsAtMost = 12;
/** Within 90 days a person can change their name five times. */
const renamesAtMost = 5;
/** Addresses that are looked up after each action. */
const lookedUp = 3;
/** Actions after which every address is looked up. */
const allAfter = 500;

const placeIn = (project: Project, slug: string): string => `${project.projectId}/${slug}`;
const siteIn = (workspace: Workspace, slug: string): string => `${workspace.workspaceId}/${slug}`;

class Model {
  readonly artifacts: Artifact[] = [];
  readonly projects: Project[] = [];
  /** The artifact that a place of a project was last given to. */
  readonly places = new Map<string, Artifact>();
  /** The project that a slug of a workspace was last given to. */
  readonly sites = new Map<string, Project>();
  /** The names that each workspace has had. */
  readonly namesOf = new Map<string, string[]>();
  /** By address, the latest last. */
  readonly given = new Map<string, Given[]>();

  addressOf({ project, slug }: Artifact): string {
    return `${project.workspace.name}/${project.slug}/${slug}`;
  }

  isFree(project: Project, slug: string, artifact?: Artifact): boolean {
    const holder = this.places.get(placeIn(project, slug));
    return holder === undefined || holder.isDeleted || holder === artifact;
  }

  isFreeForProject(workspace: Workspace, slug: string, project?: Project): boolean {
    const holder = this.sites.get(siteIn(workspace, slug));
    if (holder === undefined || holder === project) return true;
    return holder.isDeleted && !this.hasArtifactElsewhere(holder);
  }

  /** Whether an artifact that was in a project is not deleted. */
  private hasArtifactElsewhere(project: Project): boolean {
    for (const [place, artifact] of this.places)
      if (place.startsWith(`${project.projectId}/`) && !artifact.isDeleted) return true;
    return false;
  }

  /** Records the addresses that each artifact has now: a place has one by every name of its project and of the owner. */
  settle(): void {
    for (const project of this.projects)
      if (!project.isDeleted) this.sites.set(siteIn(project.workspace, project.slug), project);
    for (const artifact of this.artifacts)
      if (!artifact.isDeleted) this.places.set(placeIn(artifact.project, artifact.slug), artifact);
    for (const [site, project] of this.sites) {
      const [workspaceId = "", projectSlug = ""] = site.split("/");
      for (const name of this.namesOf.get(workspaceId) ?? [])
        for (const slug of slugs) this.give(`${name}/${projectSlug}/${slug}`, placeIn(project, slug));
    }
  }

  private give(address: string, place: string): void {
    const artifact = this.places.get(place) ?? null;
    const history = this.given.get(address) ?? [];
    const last = history.at(-1);
    if (last === undefined && artifact === null) return;
    this.given.set(address, history);
    if (last?.artifact !== artifact || last.place !== place) history.push({ artifact, place });
  }

  release(artifact: Artifact, place: string): void {
    this.places.delete(place);
    for (const [address, history] of this.given)
      if (history.at(-1)?.place === place)
        this.given.set(
          address,
          history.filter((given) => given.artifact !== artifact),
        );
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof ProblemError) return error.problem.code;
    throw error;
  }
}

export const addresses: StressTest = {
  claim: "every address that was given out leads to its artifact, or nowhere once that is deleted",
  count: 10_000,
  shortCount: 250,

  async run({ count, seed }) {
    const instance = await startInstance();
    try {
      const operator = operatorOf(instance);
      const people = [];
      for (let each = 0; each < 3; each++) people.push(await createPerson(instance));
      const [root] = people;
      if (root === undefined) throw new Error("there is nobody");
      const { userId } = root;
      const workspaces: Workspace[] = people.map((person) => ({
        workspaceId: person.workspaceId,
        person,
        name: person.username,
        renames: 0,
      }));
      for (const { workspaceId } of workspaces.slice(1))
        await operator.call("operator.setMember", { workspaceId, userId, role: "admin" });
      const sessions = new Map<Workspace, Client>();
      for (const workspace of workspaces)
        sessions.set(workspace, clientOf(instance.origin, await signIn(instance, workspace.person.userId)));
      const history = new History(root.client, sessions, workspaces, randomFrom(seed));
      for (let done = 1; done <= count; done++) {
        await history.step();
        if (done % allAfter === 0 || done === count) await history.lookUpAll();
      }
      return { ...history.figures(), addresses: history.model.given.size };
    } finally {
      await instance.stop();
    }
  },
};

class History {
  readonly model = new Model();
  private readonly outcomes = new Map<string, number>();
  private lookups = 0;
  private names = 0;

  constructor(
    private readonly client: Client,
    private readonly sessions: ReadonlyMap<Workspace, Client>,
    private readonly workspaces: readonly Workspace[],
    private readonly random: () => number,
  ) {
    for (const { workspaceId, name } of workspaces) this.model.namesOf.set(workspaceId, [name]);
  }

  figures() {
    return {
      lookups: this.lookups,
      ...Object.fromEntries([...this.outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  private pick<Value>(values: readonly Value[]): Value {
    const value = values[Math.floor(this.random() * values.length)];
    if (value === undefined) throw new Error("there is nothing to pick");
    return value;
  }

  /** One action, and what it must lead to. */
  async step(): Promise<void> {
    const live = this.model.projects.filter(({ isDeleted }) => !isDeleted);
    const artifacts = this.model.artifacts.filter(({ isDeleted }) => !isDeleted);
    const deleted = this.model.artifacts.filter(({ isDeleted }) => isDeleted);
    const at = this.random();
    if (live.length === 0 || (at < 0.08 && live.length < projectsAtMost)) await this.createProject();
    else if (artifacts.length === 0 || (at < 0.3 && artifacts.length < artifactsAtMost))
      await this.createArtifact(this.pick(live));
    else if (at < 0.5) await this.rename(this.pick(artifacts));
    else if (at < 0.62) await this.moveArtifact(this.pick(artifacts), live);
    else if (at < 0.74) await this.deleteArtifact(this.pick(artifacts));
    else if (at < 0.82 && deleted.length > 0) await this.undelete(this.pick(deleted));
    else if (at < 0.88) await this.renameProject(this.pick(live));
    else if (at < 0.93) await this.moveProject(this.pick(live));
    else if (at < 0.97) await this.deleteProject(this.pick(live));
    else if (at < 0.985) await this.release(this.pick(artifacts));
    else await this.renameOwner(this.pick(this.workspaces));
    this.model.settle();
    for (let each = 0; each < lookedUp && this.model.given.size > 0; each++)
      await this.lookUp(this.pick([...this.model.given.keys()]));
  }

  private async expect(action: string, expected: string, work: Promise<unknown>): Promise<boolean> {
    const outcome = await outcomeOf(work);
    assert(outcome === expected, () => `${action}: ${outcome}, not ${expected}`);
    const counted = `${action}, ${outcome}`;
    this.outcomes.set(counted, (this.outcomes.get(counted) ?? 0) + 1);
    return outcome === "done";
  }

  private async createProject(): Promise<void> {
    const workspace = this.pick(this.workspaces);
    const slug = this.pick(projectSlugs);
    const expected = this.model.isFreeForProject(workspace, slug) ? "done" : "slug_conflict";
    const creating = this.client.call("project.create", { ownerUsername: workspace.name, slug, title: "P", icon: "p" });
    if (!(await this.expect("create project", expected, creating))) return;
    const { projectId } = await creating;
    this.model.projects.push({ projectId, workspace, slug, isDeleted: false });
  }

  private async createArtifact(project: Project): Promise<void> {
    const slug = this.pick(slugs);
    const expected = this.model.isFree(project, slug) ? "done" : "slug_conflict";
    const creating = this.client.call("artifact.create", {
      ownerUsername: project.workspace.name,
      projectSlug: project.slug,
      slug,
      type: "md",
      title: slug,
      content: `# ${slug}\n`,
      access: { publicView: true, publicEdit: false },
    });
    if (!(await this.expect("create artifact", expected, creating))) return;
    this.model.artifacts.push({ artifactId: (await creating).artifactId, project, slug, isDeleted: false });
  }

  private async rename(artifact: Artifact): Promise<void> {
    const { artifactId, project } = artifact;
    const slug = this.pick(slugs);
    const expected = this.model.isFree(project, slug, artifact) ? "done" : "slug_conflict";
    if (await this.expect("rename artifact", expected, this.client.call("artifact.patch", { artifactId, slug })))
      artifact.slug = slug;
  }

  private async moveArtifact(artifact: Artifact, live: readonly Project[]): Promise<void> {
    const { artifactId, slug } = artifact;
    const project = this.pick(live.filter(({ workspace }) => workspace === artifact.project.workspace));
    const expected = this.model.isFree(project, slug, artifact) ? "done" : "slug_conflict";
    const moving = this.client.call("artifact.patch", { artifactId, projectSlug: project.slug });
    if (await this.expect("move artifact", expected, moving)) artifact.project = project;
  }

  private async deleteArtifact(artifact: Artifact): Promise<void> {
    const { artifactId } = artifact;
    await this.expect("delete artifact", "done", this.client.call("artifact.delete", { artifactId }));
    artifact.isDeleted = true;
  }

  private async undelete(artifact: Artifact): Promise<void> {
    const { artifactId, project, slug } = artifact;
    const isFree =
      this.model.isFree(project, slug, artifact) &&
      (!project.isDeleted || this.model.isFreeForProject(project.workspace, project.slug, project));
    const undeleting = this.client.call("artifact.undelete", { artifactId });
    if (!(await this.expect("undelete artifact", isFree ? "done" : "slug_conflict", undeleting))) return;
    artifact.isDeleted = false;
    project.isDeleted = false;
  }

  private async renameProject(project: Project): Promise<void> {
    const { projectId, workspace } = project;
    const slug = this.pick(projectSlugs);
    const expected = this.model.isFreeForProject(workspace, slug, project) ? "done" : "slug_conflict";
    if (await this.expect("rename project", expected, this.client.call("project.update", { projectId, slug })))
      project.slug = slug;
  }

  private async moveProject(project: Project): Promise<void> {
    const { projectId, slug } = project;
    const workspace = this.pick(this.workspaces);
    const expected = this.model.isFreeForProject(workspace, slug, project) ? "done" : "slug_conflict";
    const moving = this.client.call("project.move", { projectId, ownerUsername: workspace.name });
    if (await this.expect("move project", expected, moving)) project.workspace = workspace;
  }

  private async deleteProject(project: Project): Promise<void> {
    const { projectId } = project;
    const isEmpty = this.model.artifacts.every((artifact) => artifact.isDeleted || artifact.project !== project);
    const expected = isEmpty ? "done" : "project_not_empty";
    if (await this.expect("delete project", expected, this.client.call("project.delete", { projectId })))
      project.isDeleted = true;
  }

  private async release(artifact: Artifact): Promise<void> {
    const { artifactId } = artifact;
    const { formerAddresses } = await this.client.call("artifact.listFormerAddresses", { artifactId });
    const current = placeIn(artifact.project, artifact.slug);
    const places = [...this.model.places].filter(([place, holder]) => holder === artifact && place !== current);
    assert(
      formerAddresses.length === places.length,
      () => `${artifactId} has ${formerAddresses.length} former addresses`,
    );
    if (formerAddresses.length === 0) return;
    const { address } = this.pick(formerAddresses);
    const [owner, projectSlug, slug = ""] = address.split("/");
    const projects = this.model.projects.filter((each) => each.workspace.name === owner && each.slug === projectSlug);
    const released = places.filter(([place]) => projects.some((project) => placeIn(project, slug) === place));
    assert(released.length > 0, () => `no project has the former address ${address}`);
    const releasing = this.client.call("artifact.releaseFormerAddress", { artifactId, address });
    await this.expect("release address", "done", releasing);
    for (const [place] of released) this.model.release(artifact, place);
  }

  private async renameOwner(workspace: Workspace): Promise<void> {
    const session = this.sessions.get(workspace);
    if (session === undefined || workspace.renames === renamesAtMost) return;
    const username = `${workspace.person.username}-${++this.names}`;
    await this.expect("rename owner", "done", session.call("profile.update", { username }));
    workspace.name = username;
    this.model.namesOf.get(workspace.workspaceId)?.push(username);
    workspace.renames++;
  }

  async lookUpAll(): Promise<void> {
    for (const address of this.model.given.keys()) await this.lookUp(address);
  }

  private async lookUp(address: string): Promise<void> {
    this.lookups++;
    const [owner = "", projectSlug = "", slug = ""] = address.split("/");
    const found = await this.client.call("artifact.getByPath", { owner, projectSlug, slug }).catch((error: unknown) => {
      if (error instanceof ProblemError && error.problem.code === "not_found") return null;
      throw error;
    });
    const history = this.model.given.get(address) ?? [];
    const last = history.at(-1)?.artifact;
    if (last === undefined || last === null || last.isDeleted) {
      assert(found === null, () => `${address} leads to ${found?.artifactId}, and its artifact is deleted`);
      return;
    }
    const present = this.model.addressOf(last);
    assert(
      found?.artifactId === last.artifactId,
      () => `${address} leads to ${found?.artifactId}, not ${last.artifactId}`,
    );
    assert(found.movedTo === (present === address ? undefined : present), () => `${address} moved to ${found.movedTo}`);
  }
}
