// The fixture of MCP endpoint tests: an instance, a separate web app in front of it, and a person with a project.
import { reservePort } from "@plinth/support/reserved-port";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, createProject, type Person } from "../harness/people.ts";

import { startWeb } from "../harness/web.ts";

export const ways = ["directly", "through the web app"] as const;
export type Way = (typeof ways)[number];

export interface BothWays {
  readonly instance: Instance;
  /** The public URL: the web app's. */
  readonly publicUrl: string;
  /** The endpoint's origin, directly and through the web app. */
  readonly origins: Readonly<Record<Way, string>>;
  readonly person: Person;
  readonly projectSlug: string;
  /** Ends both processes. */
  readonly close: () => Promise<void>;
}

export async function openBothWays(): Promise<BothWays> {
  const port = reservePort();
  const instance = await startInstance({ env: { PUBLIC_URL: `http://127.0.0.1:${port}` } });
  const web = await startWeb(instance.origin, port);
  const person = await createPerson(instance);
  const { slug: projectSlug } = await createProject(person);
  return {
    instance,
    publicUrl: web.origin,
    origins: { directly: instance.origin, "through the web app": web.origin },
    person,
    projectSlug,
    close: async () => {
      await web.stop();
      await instance.stop();
    },
  };
}
