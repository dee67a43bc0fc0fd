// A site with images, and with everything that is none, on loopback; and the guarded fetcher as tests use it, for which
// this site alone may have a private address.
import { guardedFetch } from "../../fetching/guarded-fetch.ts";
import { type FetchUrl, imageLimits } from "../fetch-image.ts";
import { gif, pixel, png, svg } from "./image-bytes.ts";

export type ImageSite = ReturnType<typeof startImageSite>;

export function startImageSite() {
  const requests: { readonly path: string; readonly headers: Headers }[] = [];
  let isAway = false;
  let [active, most] = [0, 0];

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      requests.push({ path: pathname, headers: request.headers });
      active += 1;
      most = Math.max(most, active);
      try {
        // Requests that are sent together are here together.
        await Bun.sleep(1);
        return await answer(pathname, searchParams);
      } finally {
        active -= 1;
      }
    },
  });

  function answer(path: string, query: URLSearchParams): Response | Promise<Response> {
    if (isAway) return new Response("away", { status: 503 });
    if (path.endsWith("/silent.png")) return new Promise<Response>(() => undefined);
    switch (path) {
      case "/pixel.png":
        return image(pixel, "image/png");
      case "/large.png":
        return image(png(800, 600), "image/png");
      case "/moving.gif":
        return image(gif(80, 60), "image/gif");
      case "/drawing.svg":
        return image(svg('width="30" height="20" onload="alert(1)"', "<script>alert(1)</script>"), "image/svg+xml");
      case "/mislabelled":
        return image(pixel, "text/html");
      case "/page.png":
        return image("<!doctype html><script>alert(1)</script>", "image/png");
      case "/bomb.png":
        return image(png(50_000, 50_000), "image/png");
      case "/huge.png":
        return image(Buffer.concat([pixel, Buffer.alloc(imageLimits.imageBytes)]), "image/png");
      case "/endless.png":
        return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(65_536)) }));
      case "/to":
        return Response.redirect(query.get("url") ?? "");
      case "/gone.png":
        return new Response("gone", { status: 404 });
      default:
        // A different one for each path.
        return path.startsWith("/numbered/")
          ? image(svg(`id="n${path.slice(10)}"`), "image/svg+xml")
          : image(pixel, "image/png");
    }
  }

  const origin = server.url.origin;
  return {
    origin,
    host: server.url.host,
    /** The requests so far, in order. */
    requests,
    /** How many requests it had at once, since the last call. */
    takeMostAtOnce() {
      const taken = most;
      most = active;
      return taken;
    },
    setAway: (away: boolean) => void (isAway = away),
    fetchUrl: ((url, limits) =>
      guardedFetch(url, {
        ...limits,
        ms: url.endsWith("/silent.png") ? 50 : limits.ms,
        trustedOrigin: origin,
      })) satisfies FetchUrl,
    close: () => server.stop(true),
  };
}

const image = (bytes: string | Uint8Array<ArrayBuffer>, type: string): Response =>
  new Response(bytes, { headers: { "content-type": type } });
