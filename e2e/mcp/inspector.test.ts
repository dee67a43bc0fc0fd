// The protocol's inspector on the command line against a running instance, in both eras.
import { factsOf, sourceOf } from "@plinth/support/mcp-text";
import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { Ajv2020 } from "ajv/dist/2020.js";

import { fresh } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { testDesk } from "../harness/test-site.ts";
import { inspect, type Inspected } from "./inspector.ts";

setDefaultTimeout(3 * hung);

const desk = testDesk();

interface Definition {
  readonly name: string;
  readonly inputSchema: object;
}

describe.each(["legacy", "modern"] as const)("in the %s era", (era) => {
  const ask = (method: string, ...words: string[]): Promise<Inspected> =>
    inspect(desk.instance.origin, desk.owner.token, era, ["--method", method, ...words]);
  const call = (tool: string, given: object): Promise<Inspected> =>
    ask("tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(given));

  test("its list of tools is without fault, and what they take is said in words every model's provider knows", async () => {
    const { exitCode, result, stderr } = await ask("tools/list", "--strict");
    // It counts its errors and warnings there, where it has any.
    expect([exitCode, stderr]).toEqual([0, ""]);
    const { tools } = result as { tools: Definition[] };
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const { inputSchema } of tools) ajv.compile(inputSchema);
  });

  test("it publishes, edits and reads, by tools and by resources", async () => {
    const given = {
      projectSlug: desk.projectSlug,
      slug: fresh("inspected"),
      type: "md",
      title: "Inspected",
      content: "# One\n\ntwo\n",
    };
    const made = await call("create_artifact", { ...given, access: { publicView: false, publicEdit: false } });
    expect(made.exitCode).toBe(0);
    const { artifactId } = factsOf(made.result ?? {});
    const edited = await call("edit_artifact", { artifactId, edits: [{ oldText: "two", newText: "three" }] });
    expect(edited.exitCode).toBe(0);
    expect(factsOf(edited.result ?? {}).versionNumber).toBe(2);
    const uri = `artifact://${artifactId}/v/2`;
    const text = "# One\n\nthree\n";
    const [content, list, read, templates] = await Promise.all([
      call("get_artifact_content", { artifactId }),
      ask("resources/list"),
      ask("resources/read", "--uri", uri),
      ask("resources/templates/list"),
    ]);
    expect([factsOf(content.result ?? {}).totalLines, sourceOf(content.result ?? {})]).toEqual([3, text]);
    expect(list.result?.["resources"]).toContainEqual(
      expect.objectContaining({ uri, name: "Inspected", mimeType: "text/markdown" }),
    );
    expect(read.result).toMatchObject({ contents: [{ uri, mimeType: "text/markdown", text }] });
    expect(templates.result).toMatchObject({ resourceTemplates: [{ uriTemplate: "artifact://{artifactId}/v/{n}" }] });
  });

  test("what is refused ends it with the problem in hand, and what is not there with the protocol's error", async () => {
    const uri = "artifact://art_00000000000000000000000000/v/1";
    const [refused, missing] = await Promise.all([
      call("get_artifact", { artifactId: "nobody/has/this" }),
      ask("resources/read", "--uri", uri),
    ]);
    expect(refused).toMatchObject({ exitCode: 5, result: { isError: true } });
    const [{ text }] = (refused.result as { content: [{ text: string }] }).content;
    expect(text).toStartWith("not_found: ");
    expect(refused.result).toMatchObject({ _meta: { "plinth/problem": { status: 404, code: "not_found" } } });
    expect(missing).toMatchObject({ exitCode: 1, result: null });
    expect(missing.stderr).toContain(`Resource not found: ${uri}`);
  });
});
