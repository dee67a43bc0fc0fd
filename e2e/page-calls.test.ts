// What a page costs the API: at most three calls, all made at once (experience.md 4, "Budgets").
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { pageRoutes } from "./campaigns/pages-routes.ts";
import { makePagesScene, type PagesScene } from "./campaigns/pages-scene.ts";
import { startWaveProxy, type WaveProxy } from "./harness/call-waves.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { hung } from "./harness/process.ts";
import { startWeb, type Web } from "./harness/web.ts";

setDefaultTimeout(2 * hung);

let instance: Instance;
let scene: PagesScene;
let proxy: WaveProxy;
let web: Web;

beforeAll(async () => {
  instance = await startInstance();
  scene = await makePagesScene(instance);
  proxy = startWaveProxy(instance.origin);
  web = await startWeb(proxy.origin);
});
afterAll(async () => {
  await web.stop();
  await proxy.stop();
  await instance.stop();
});

/** A machine with much to do may come between two calls that are made at once; a page that waits for one does so each time. */
const tries = 3;

async function wavesOf(path: string, cookie: string | undefined): Promise<readonly (readonly string[])[]> {
  let fewest: readonly (readonly string[])[] = [];
  for (let left = tries; left > 0; left--) {
    const { waves } = await proxy.watch(async () => {
      const answer = await fetch(web.origin + path, {
        redirect: "manual",
        headers: { accept: "text/html", ...(cookie === undefined ? {} : { cookie }) },
      });
      await answer.text();
      expect([path, answer.status]).toEqual([path, 200]);
    });
    if (left === tries || waves.length < fewest.length) fewest = waves;
    if (fewest.length <= 1) break;
  }
  return fewest;
}

test.each(pageRoutes.filter(({ shownTo }) => shownTo.length > 0).map(({ path, shownTo }) => [path, shownTo] as const))(
  "%s asks at most three things, at once",
  async (path, [viewer]) => {
    const waves = await wavesOf(path, viewer === undefined ? undefined : scene.sessions.get(viewer));
    expect(waves.length, JSON.stringify(waves)).toBeLessThanOrEqual(1);
    expect(waves[0]?.length ?? 0, JSON.stringify(waves)).toBeLessThanOrEqual(3);
  },
);
