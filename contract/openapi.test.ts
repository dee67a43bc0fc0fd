// Promises of the OpenAPI document to code generators and readers: named resources, and descriptions of operations and
// parameters.
import { expect, test } from "bun:test";

import { errorCodes } from "./errors.ts";
import { describedOperations, openApi } from "./openapi.ts";

type Json = Record<string, unknown>;

interface Parameter {
  readonly name: string;
  readonly description?: string;
}

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, Json>>;
}

const document = openApi({ version: "1.0.0", publicUrl: "http://localhost:3000" });
const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>;
const { components } = document;
const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ at: `${method} ${path}`, call })),
);

/** Every object in a value, itself included. */
const objectsIn = (value: unknown): Json[] =>
  typeof value !== "object" || value === null
    ? []
    : [...(Array.isArray(value) ? [] : [value as Json]), ...Object.values(value).flatMap(objectsIn)];

const refs = (value: unknown) => objectsIn(value).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));

const schemaOf = (path: string, method: string, status: number, media = "application/json"): unknown => {
  const response = paths[path]?.[method]?.responses[status] as { content: Record<string, { schema: unknown }> };
  return response.content[media]?.schema;
};
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test("resources are named schemas", () => {
  expect(schemaOf("/api/artifacts", "post", 201)).toEqual(component("Artifact"));
  expect(schemaOf("/api/artifacts/{artifactId}", "get", 200)).toEqual(component("Artifact"));
  expect(schemaOf("/api/artifacts/{artifactId}/versions", "post", 201)).toEqual(component("Version"));
  expect(schemaOf("/api/projects", "post", 201)).toEqual(component("Project"));
  expect(schemaOf("/api/profile/artifacts", "get", 200)).toEqual(component("ArtifactList"));
  expect(schemaOf("/api/artifacts/{artifactId}/share-links", "post", 201)).toEqual(component("ShareLink"));
  expect(schemaOf("/api/artifacts/{artifactId}/access", "get", 200)).toEqual(component("Access"));
  const address = "/api/by-path/{owner}/{projectSlug}/{slug}";
  expect(schemaOf(address, "get", 200)).toEqual(component("ArtifactAtAddress"));
  for (const status of [200, 201]) expect(schemaOf(address, "put", status)).toEqual(component("PutArtifact"));
  const extending = ["ArtifactAtAddress", "FoundArtifact", "PutArtifact", "UndeletedArtifact"];
  for (const name of extending) {
    const { allOf } = components.schemas[name] as { allOf: unknown[] };
    expect([name, allOf[0]]).toEqual([name, component("Artifact")]);
  }
  const { DryRun: _, ...refusals } = components.responses as Readonly<Record<string, { content: Json }>>;
  for (const { content } of Object.values(refusals))
    expect(content).toEqual({ "application/problem+json": { schema: component("Problem") } });
});

test("no schema of a resource is written out twice", () => {
  const fieldsOf = ({ properties }: Json) => Object.keys(properties ?? {}).join();
  const lengthy = objectsIn(document).filter(({ properties }) => Object.keys(properties ?? {}).length >= 6);
  const outputs = lengthy.filter(({ additionalProperties }) => additionalProperties !== false).map(fieldsOf);
  expect(outputs.toSorted()).toEqual([...new Set(outputs)].toSorted());
});

test("every reference leads to a component, and every component is used", () => {
  const used = new Set(refs(document));
  for (const ref of used) {
    const [, , kind = "", name = ""] = ref.split("/");
    expect([ref, Object.hasOwn((components as Json)[kind] as Json, name)]).toEqual([ref, true]);
  }
  const known = (["parameters", "responses", "schemas"] as const).flatMap((kind) =>
    Object.keys(components[kind]).map((name) => `#/components/${kind}/${name}`),
  );
  expect(known.filter((ref) => !used.has(ref))).toEqual([]);
});

test("names of components are words, without numbers to tell them apart", () => {
  const names = (["parameters", "responses", "schemas"] as const).flatMap((kind) => Object.keys(components[kind]));
  expect(names.filter((name) => !/^[A-Z][A-Za-z]*(?:256)?$/.test(name))).toEqual([]);
});

test("every operation, parameter and tag has a description", () => {
  const parameters = components.parameters as unknown as Readonly<Record<string, Parameter>>;
  for (const { at, call } of calls) {
    expect([at, call.description ?? ""]).toEqual([at, expect.stringMatching(/^[A-Z`].+\.$/)]);
    for (const parameter of call.parameters) {
      const given = "$ref" in parameter ? parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter;
      expect([at, given?.name, given?.description]).toEqual([at, given?.name, expect.stringMatching(/\w{3}/)]);
    }
  }
  for (const { name, description } of document.tags) expect([name, description]).toEqual([name, expect.any(String)]);
});

test("every answer that an operation gives is declared: dry runs, and repetitions without what is shown once", () => {
  for (const { dryRun, method, name, path, secrets = [] } of describedOperations) {
    const { responses = {} } = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] ?? {};
    expect([name, dryRun === true && !("200" in responses)]).toEqual([name, false]);
    const answers = Object.entries(responses).filter(([status]) => status < "300");
    const required = answers.flatMap(([, { content }]) => {
      const { schema } = ((content as Record<string, Json> | undefined)?.["application/json"] ?? {}) as {
        schema?: Json;
      };
      return (schema?.["required"] ?? []) as readonly string[];
    });
    expect([name, secrets.filter((secret) => required.includes(secret))]).toEqual([name, []]);
  }
});

test("times and URLs have their format, enumerations their type", () => {
  for (const node of objectsIn(document)) {
    for (const [name, property] of Object.entries((node["properties"] ?? {}) as Record<string, Json>)) {
      if (!String(property["type"]).includes("string")) continue;
      // A caller may send a date in place of a time, which is no date-time.
      const format = /\ba date\b/i.test(String(property["description"])) ? undefined : "date-time";
      if (/(?:At|since|until|periodEnd)$/i.test(name)) expect([name, property["format"]]).toEqual([name, format]);
      if (/(?:^u|U)rl$/.test(name)) expect([name, property["format"]]).toEqual([name, "uri"]);
    }
    if (Array.isArray(node["enum"])) expect(node["type"]).toBeDefined();
  }
});

test("the members of a problem are typed", () => {
  const { properties } = components.schemas["Problem"] as { properties: Record<string, Json> };
  expect(properties["code"]?.["enum"]).toEqual(Object.keys(errorCodes));
  expect(properties["changedBy"]).toEqual(component("Actor"));
  expect(properties["latestVersion"]?.["type"]).toBe("integer");
  expect(properties["artifactId"]).toEqual(component("ArtifactId"));
  for (const [name, property] of Object.entries(properties))
    expect([name, "type" in property || "$ref" in property]).toEqual([name, true]);
});

test("consent, tickets and sign-in are left out", () => {
  expect(calls).toHaveLength(describedOperations.length);
  const internal = Object.keys(paths).filter((path) => /^\/api\/auth\/|ticket|\/api\/agents\/login/.test(path));
  expect(internal).toEqual([]);
});
