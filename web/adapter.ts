// Writes Kit's output to `build/` for handler.ts to serve from any Bun.serve.
// Knows nothing of ports, the API or the instance's configuration.
import type { Adapter } from "@sveltejs/kit";

/** Makes the adapter whose output `createWebHandler` loads: `build/client`, `build/server`, `build/server.js`. */
export function bunServeAdapter(): Adapter {
  return {
    name: "plinth-bun-serve",
    async adapt(builder) {
      const out = "build";
      builder.rimraf(out);
      builder.writeClient(`${out}/client`);
      builder.copy(builder.getServerDirectory(), `${out}/server`);
      builder.generateServerInstance(`${out}/server.js`, { serverDirectory: `${out}/server` });
      await builder.compress(`${out}/client`);
      await gzipHarder(`${out}/client`);
    },
  };
}

/** Every page is paid for in these bytes: libdeflate's level 12 makes them three hundredths fewer than zlib's 9. */
async function gzipHarder(folder: string): Promise<void> {
  for await (const name of new Bun.Glob("**/*.gz").scan(folder)) {
    const path = `${folder}/${name}`;
    const plain = await Bun.file(path.slice(0, -".gz".length)).bytes();
    await Bun.write(path, Bun.gzipSync(plain, { level: 12, library: "libdeflate" }));
  }
}
