// Ports for servers that tests start: each is reserved before it is used, so that none is taken by something else between.
import { dlopen, FFIType, ptr } from "bun:ffi";

const loopback = [127, 0, 0, 1];

/**
 * A port of 127.0.0.1 that the system gives to no other process while this process lives. On Linux a socket is bound to
 * it and never listens; a server can then listen there repeatedly, because servers set SO_REUSEADDR. Bun and Node can
 * only bind and listen at once. Elsewhere it is a port that was free a moment ago.
 */
export function reservePort(): number {
  if (process.platform !== "linux") return freePort();
  const { socket, setsockopt, bind, getsockname } = libc().symbols;
  const [AF_INET, SOCK_STREAM, SOCK_CLOEXEC, SOL_SOCKET, SO_REUSEADDR] = [2, 1, 0o2000000, 1, 2];
  const descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const yes = new Int32Array([1]);
  // struct sockaddr_in: the family in the machine's order, the port in the network's.
  const address = new Uint8Array(16);
  address.set([AF_INET, 0, 0, 0, ...loopback]);
  const length = new Uint32Array([address.length]);
  const failed =
    descriptor < 0 ||
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, ptr(yes), yes.byteLength) !== 0 ||
    bind(descriptor, ptr(address), address.length) !== 0 ||
    getsockname(descriptor, ptr(address), ptr(length)) !== 0;
  if (failed) throw new Error("no port can be reserved");
  return new DataView(address.buffer).getUint16(2);
}

let loaded: ReturnType<typeof load> | undefined;
const libc = () => (loaded ??= load());

function load() {
  const { i32, u32 } = FFIType;
  return dlopen("libc.so.6", {
    socket: { args: [i32, i32, i32], returns: i32 },
    setsockopt: { args: [i32, i32, i32, FFIType.ptr, u32], returns: i32 },
    bind: { args: [i32, FFIType.ptr, u32], returns: i32 },
    getsockname: { args: [i32, FFIType.ptr, FFIType.ptr], returns: i32 },
  });
}

function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  probe.stop(true);
  return probe.port;
}
