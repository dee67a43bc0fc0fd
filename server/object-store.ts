// Opens object storage for a process: its requests are counted, and the log has a line when trouble begins and ends.
import type { ObjectStore } from "@plinth/db/object-store";
import type { ObjectStoreSettings } from "@plinth/domain/config";
import { createS3Store } from "@plinth/domain/storage/s3-store";
import { verified } from "@plinth/domain/storage/verified-store";
import { emit } from "@plinth/domain/telemetry";

import { objectStoreOf } from "./object-store-environment.ts";

export const openObjectStore = (settings: ObjectStoreSettings): ObjectStore =>
  verified(createS3Store(settings, { onRequest: (request) => emit("object", request) }));

/** That of the environment, for a command; null where all contents are in the database. @throws Error one line */
export function objectStoreOfEnvironment(): ObjectStore | null {
  const settings = objectStoreOf((name) => process.env[name]?.trim() || null);
  return settings === null ? null : openObjectStore(settings);
}
