// Brings up the loopback interface of a new network namespace, gives it addresses, and routes every packet there, so
// that each one is counted. It makes the system calls directly, because a minimal machine has no `ip`.
import { readFileSync } from "node:fs";

import { dlopen, ptr } from "bun:ffi";

const AF_INET = 2;
const SOCK_DGRAM = 2;
const SET_ADDRESS = 0x8916;
const SET_FLAGS = 0x8914;
const ADD_ROUTE = 0x890b;
const UP_AND_RUNNING = 0x41;
const ROUTE_UP = 0x1;

/** @throws Error where this process may not change the namespace */
export function raiseLoopback(addresses: readonly string[]): void {
  const libc = dlopen("libc.so.6", {
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" },
  }).symbols;
  const socket = libc.socket(AF_INET, SOCK_DGRAM, 0);
  const call = (request: number, argument: Uint8Array) => {
    if (libc.ioctl(socket, request, ptr(argument)) !== 0) throw new Error(`the loopback can't be changed (${request})`);
  };
  const named = (name: string): Uint8Array => {
    const asked = new Uint8Array(40);
    new TextEncoder().encodeInto(name, asked);
    return asked;
  };
  const raised = named("lo");
  new DataView(raised.buffer).setUint16(16, UP_AND_RUNNING, true);
  call(SET_FLAGS, raised);
  for (const [index, address] of addresses.entries()) {
    const given = named(`lo:${index + 1}`);
    new DataView(given.buffer).setUint16(16, AF_INET, true);
    given.set(address.split(".").map(Number), 20);
    call(SET_ADDRESS, given);
  }
  const device = new TextEncoder().encode("lo\0");
  const route = new Uint8Array(120);
  const fields = new DataView(route.buffer);
  for (const offset of [8, 24, 40]) fields.setUint16(offset, AF_INET, true);
  fields.setUint16(56, ROUTE_UP, true);
  fields.setBigUint64(88, BigInt(ptr(device)), true);
  call(ADD_ROUTE, route);
}

/** The number of packets ever sent in this namespace. */
export function packetsSent(): number {
  const [, counts = ""] = /^\s*lo:(.*)$/m.exec(readFileSync("/proc/net/dev", "utf8")) ?? [];
  return Number(counts.trim().split(/\s+/)[9]);
}
