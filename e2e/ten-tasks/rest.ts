// The ten tasks by REST: the agent has read `openapi.json`, and sees each answer's body.
import { send as request } from "../harness/http.ts";
import { days, folder, replacement, said, titleOf, type Stage } from "./tasks.ts";
import { Transcript } from "./transcript.ts";

/** @returns the number of requests, and the project that the agent chose */
export async function byRest(stage: Stage): Promise<{ calls: number; projectSlug: string }> {
  const { instance, person, lastMonth, thisMonth, moved } = stage;
  const manual = (await (await fetch(`${instance.origin}/api/openapi.json`)).json()) as { readonly paths: object };
  const routes = new Map(
    Object.entries(manual.paths as Record<string, object>).map(([path, methods]) => [path, Object.keys(methods)]),
  );
  const transcript = new Transcript(["md", "viewer"]);

  /** Fills a route of the manual. `{artifactId}` takes the first of the values, and so on. */
  const answer = async (
    method: string,
    route: string,
    values: readonly string[],
    body?: object,
    query: Record<string, string> = {},
  ) => {
    if (!routes.get(route)?.includes(method.toLowerCase())) throw new Error(`openapi.json has no ${method} ${route}`);
    transcript.send([values, body ?? {}, query]);
    let place = 0;
    const path = route.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values[place++] ?? ""));
    const search = new URLSearchParams(query).toString();
    const { status, text } = await request(`${instance.origin}${path}${search && `?${search}`}`, {
      method,
      token: person.token,
      ...(body && { body }),
    });
    return { status, text: transcript.read(text) };
  };
  const call = async (...asked: Parameters<typeof answer>) => {
    const { status, text } = await answer(...asked);
    if (status >= 400) throw new Error(`dead end: ${asked[0]} ${asked[1]} ${status}: ${text}`);
    return text;
  };

  const tasks = said(stage);
  const access = { publicView: false, publicEdit: false };
  transcript.read(tasks.daily);
  const projects = await call("GET", "/api/profile/projects", []);
  const projectSlug = transcript.found(projects, /"slug":"([^"]+)"/);
  const owner = transcript.found(projects, /"ownerUsername":"([^"]+)"/);
  const put = (slug: string, title: string, content: string) =>
    call("PUT", "/api/by-path/{owner}/{projectSlug}/{slug}", [owner, projectSlug, slug], {
      type: "md",
      title,
      content,
      access,
    });
  const artifactId = transcript.found(await put("orders", "Orders", days[0]), /art_[0-9a-z]{26}/);
  const before = transcript.found(await put("orders", "Orders", days[1]), /"(?:versionNumber|latestVersion)":(\d+)/);

  const edit = (oldText: string, newText: string) =>
    call("POST", "/api/artifacts/{artifactId}/edits", [artifactId], { edits: [{ oldText, newText }] });
  transcript.read(tasks.change);
  await edit("7 open", "8 open");
  transcript.read(tasks.back);
  await call("POST", "/api/artifacts/{artifactId}/versions/{versionNumber}/restore", [artifactId, before]);
  transcript.read(tasks.share);
  const link = { role: "viewer", label: "Client", expiresInDays: 7 };
  transcript.found(await call("POST", "/api/artifacts/{artifactId}/share-links", [artifactId], link), /\/share\//);

  transcript.read(tasks.find);
  const found = await call("GET", "/api/artifacts", [], undefined, { q: "Costs", since: lastMonth, until: thisMonth });
  const costs = transcript.found(found, /art_[0-9a-z]{26}/);
  transcript.found(
    await call("GET", "/api/artifacts/{artifactId}/content", [costs]),
    new RegExp(stage.report.split("\n")[2] ?? ""),
  );

  transcript.read(tasks.compare);
  const compared = await call("GET", "/api/artifacts/{artifactId}/diff", [artifactId], undefined, {
    from: "1",
    to: "2",
  });
  transcript.found(compared, /9 open/);

  transcript.read(tasks.folder);
  for (const [name, content] of Object.entries(folder)) await put(name.replace(".md", ""), titleOf(content), content);

  transcript.read(tasks.conflict);
  const newer = { content: replacement, expectedLatestVersion: 2 };
  const refused = await answer("POST", "/api/artifacts/{artifactId}/versions", [artifactId], newer);
  transcript.found(refused.text, /version_conflict/);
  await edit("9 open", "10 open");

  transcript.read(tasks.move);
  await call("PATCH", "/api/artifacts/{artifactId}", [artifactId], { slug: moved });
  transcript.read(tasks.cleanUp);
  await call("DELETE", "/api/artifacts/{artifactId}", [artifactId]);
  return { calls: transcript.calls, projectSlug };
}
