// Images of hostile sites: what is kept, and why anything else is not.
import { afterAll, expect, test } from "bun:test";

import { guardedFetch } from "../fetching/guarded-fetch.ts";
import { fetchImage } from "./fetch-image.ts";
import { ImageProblem } from "./problem.ts";
import { startImageSite } from "./test/image-site.ts";

const site = startImageSite();
afterAll(() => site.close());

const fetched = (path: string) => fetchImage(site.origin + path, site.fetchUrl);

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const failure = await work.catch((error: unknown) => error);
  return failure instanceof ImageProblem ? [failure.code, failure.message] : failure;
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  const refused = await refusal(work);
  return Array.isArray(refused) ? refused[0] : refused;
};

test("the type is that of the bytes, not the one that the site states", async () => {
  expect(await fetched("/mislabelled")).toMatchObject({ mediaType: "image/png", size: { width: 1, height: 1 } });
  expect(await fetched("/drawing.svg")).toMatchObject({ mediaType: "image/svg+xml", size: { width: 30, height: 20 } });
  expect(await refusal(fetched("/page.png"))).toEqual(["no-image", `${site.host} sent no image`]);
});

test("no cookie, credential or referrer is sent, and it says who asks and for what", async () => {
  await fetched("/pixel.png");
  const { headers } = site.requests.at(-1) ?? {};
  expect(Object.keys(Object.fromEntries(headers ?? [])).toSorted()).toEqual([
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
  expect([headers?.get("user-agent"), headers?.get("accept")?.split(",")[0]]).toEqual([
    "Plinth (+package and image fetcher)",
    "image/avif",
  ]);
});

test("too many bytes or pixels are refused", async () => {
  expect(await refusal(fetched("/huge.png"))).toEqual(["too-large", "The image is larger than 10 MB"]);
  expect(await refusal(fetched("/endless.png"))).toEqual(["too-large", "The image is larger than 10 MB"]);
  expect(await refusal(fetched("/bomb.png"))).toEqual(["too-large", "The image has more than 50 megapixels"]);
});

test("a site that is away may be back, and one that refuses stays as it is", async () => {
  expect(await refusal(fetched("/gone.png"))).toEqual(["refused", `${site.host} answered with status 404`]);
  expect(await refusal(fetched("/silent.png"))).toEqual(["no-answer", `${site.host} did not answer`]);
  site.setAway(true);
  expect(await refusal(fetched("/pixel.png"))).toEqual(["unavailable", `${site.host} answered with status 503`]);
  site.setAway(false);
  // Port 1 of loopback, as a site that is trusted.
  const origin = "http://127.0.0.1:1";
  const nothing = fetchImage(`${origin}/a.png`, (url, limits) =>
    guardedFetch(url, { ...limits, trustedOrigin: origin }),
  );
  expect(await refusal(nothing)).toEqual(["no-answer", "127.0.0.1:1 did not answer"]);
});

test("no private address is asked, by number, by name, or after a redirect", async () => {
  const before = site.requests.length;
  expect(await refusal(fetchImage(`${site.origin}/pixel.png`))).toEqual([
    "private-address",
    `${site.host} is a private address`,
  ]);
  const { port } = new URL(site.origin);
  expect(await codeOf(fetchImage(`http://localhost:${port}/pixel.png`))).toBe("no-answer");
  expect(site.requests.length).toBe(before);
  for (const to of [`http://localhost:${port}/pixel.png`, "http://169.254.169.254/latest", "https://[::1]/a.png"])
    expect(await codeOf(fetched(`/to?url=${to}`))).toBe("private-address");
  expect(site.requests.slice(before).map(({ path }) => path)).toEqual(["/to", "/to", "/to"]);
});

test("a name is resolved once: the address that was checked is the one that is connected to", async () => {
  const { port } = new URL(site.origin);
  const origin = `http://rebinding.test:${port}`;
  const answers = ["127.0.0.1"];
  const resolve = () => Promise.resolve([{ address: answers.pop() ?? "127.0.0.254", family: 4 }]);
  const rebinding = (trustedOrigin: string | null) =>
    fetchImage(`${origin}/pixel.png`, (url, limits) => guardedFetch(url, { ...limits, trustedOrigin }, resolve));
  expect(await rebinding(origin)).toMatchObject({ mediaType: "image/png" });
  expect([site.requests.at(-1)?.headers.get("host"), answers]).toEqual([`rebinding.test:${port}`, []]);
  expect(await codeOf(rebinding(null))).toBe("no-answer");
});

test("no reason tells a name of the instance's own network from one that does not exist", async () => {
  const reasonOf = (resolve: Parameters<typeof guardedFetch>[2], url = "https://names.test/a.png") =>
    refusal(fetchImage(url, (to, limits) => guardedFetch(to, limits, resolve)));
  const inside = await reasonOf(() => Promise.resolve([{ address: "10.1.2.3", family: 4 }]));
  expect(inside).toEqual(["no-answer", "names.test did not answer"]);
  expect(await reasonOf(() => Promise.reject(new Error("ENOTFOUND")))).toEqual(inside);
  expect(await reasonOf(() => Promise.resolve([]))).toEqual(inside);
});

test("http has no other services, and nothing else is a protocol", async () => {
  const resolve = () => Promise.resolve([{ address: "93.184.215.14", family: 4 }]);
  const ask = (url: string) => refusal(fetchImage(url, (to, limits) => guardedFetch(to, limits, resolve)));
  expect(await ask("http://mail.test:25/a.png")).toEqual(["refused", "mail.test:25 is no web server"]);
  expect(await codeOf(fetched("/to?url=http://mail.test:25/"))).toBe("refused");
  expect(await refusal(fetched("/to?url=file:///etc/passwd"))).toEqual(["refused", "file: is not fetched"]);
});
