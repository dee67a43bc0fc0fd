// Opens object storage for a process: its requests are counted, and the log has a line when trouble begins and ends.
import type { ObjectStore } from "@plinth/db/object-store";
import type { ObjectStoreSettings } from "@plinth/domain/config";
import { createS3Store } from "@plinth/domain/storage/s3-store";
import { verified } from "@plinth/domain/storage/verified-store";
import { emit } from "@plinth/domain/telemetry";

// Reads from the environment where contents are that are not in the database (docs/architecture/content-store.md). Its errors
// contain no value: any may be a secret in the wrong variable.
type Text = (name: string) => string | null;

const example = "s3://bucket, or s3://bucket/prefix";

/** Null where all contents are in the database. @throws Error one line that names the variable */
export function objectStoreOf(text: Text): ObjectStoreSettings | null {
  const readOnly = text("CONTENT_STORE_READ_ONLY");
  if (readOnly !== null && readOnly !== "on" && readOnly !== "off")
    throw new Error("CONTENT_STORE_READ_ONLY must be on or off");
  const place = text("CONTENT_STORE");
  if (place === null || place === "database") {
    if (readOnly === "on") throw new Error(`CONTENT_STORE must be ${example} where CONTENT_STORE_READ_ONLY is on`);
    return null;
  }
  const required = (name: string): string => {
    const given = text(name);
    if (given === null) throw new Error(`${name} must be set where CONTENT_STORE is`);
    return given;
  };
  return {
    ...bucketOf(place),
    endpoint: endpointOf(text("S3_ENDPOINT")),
    region: regionOf(text("S3_REGION")),
    accessKeyId: required("S3_ACCESS_KEY_ID"),
    secretAccessKey: required("S3_SECRET_ACCESS_KEY"),
    sessionToken: text("S3_SESSION_TOKEN"),
    isReadOnly: readOnly === "on",
  };
}

/** The names that S3 allows for buckets, and a prefix that needs no escaping. */
function bucketOf(place: string): Pick<ObjectStoreSettings, "bucket" | "prefix"> {
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{0,512}))?$/.exec(place) ?? [];
  const parts = prefix.split("/").filter((part) => part !== "");
  if (bucket === undefined || parts.some((part) => /^\.+$/.test(part)))
    throw new Error(`CONTENT_STORE must be database, ${example}`);
  return { bucket, prefix: parts.map((part) => `${part}/`).join("") };
}

function endpointOf(given: string | null): string | null {
  if (given === null) return null;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new Error("S3_ENDPOINT must be an http or https address without a path, such as https://s3.example.com");
  return url.origin;
}

function regionOf(given: string | null): string {
  if (given === null) return "us-east-1";
  if (!/^[a-z0-9-]{1,64}$/.test(given)) throw new Error("S3_REGION must be the name of a region, such as us-east-1");
  return given;
}

export const openObjectStore = (settings: ObjectStoreSettings): ObjectStore =>
  verified(createS3Store(settings, { onRequest: (request) => emit("object", request) }));

/** That of the environment, for a command; null where all contents are in the database. @throws Error one line */
export function objectStoreOfEnvironment(): ObjectStore | null {
  const settings = objectStoreOf((name) => process.env[name]?.trim() || null);
  return settings === null ? null : openObjectStore(settings);
}
