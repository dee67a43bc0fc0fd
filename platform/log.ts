// The log of a process: lines on standard error. Lines are gathered for a few milliseconds, so that no request waits
// for a write. Each process has one log, because it has one standard error. The caller decides what a line says
// (log-line.ts).
import { jsonLine, levels, textLine, type Fields, type Level } from "./log-line.ts";

export interface LogSettings {
  /** The least severe level that is written. */
  readonly level: Level;
  /** Whether each successful request and job has a line. */
  readonly requests: boolean;
  /** JSON for collectors; text for a person at a terminal. */
  readonly format: "json" | "text";
}

/** The stream that receives the lines. */
interface LogTarget {
  readonly isTTY?: boolean;
  write(text: string): unknown;
  /** Characters in the stream's buffer that its reader has not read yet. */
  readonly writableLength?: number;
}

export interface Log {
  readonly settings: LogSettings;
  configure(settings: Partial<LogSettings>): void;
  write(level: Level, fields: Fields): void;
  /** Writes a line of a request or a job. Without `requests`, only a failed one is written. */
  served(level: Level, fields: Fields): void;
  /** Writes the gathered lines; call it before the process ends. */
  flush(): void;
}

/** Lines within this time are written together, in ms. */
const gatherMs = 5;
/**
 * The most characters in this buffer and the stream's, for a reader that does not read. Above it, lines of requests are
 * dropped and counted.
 */
const heldAtMost = 4_000_000;

export function createLog(target: LogTarget): Log {
  const onTerminal = target.isTTY === true;
  let settings: LogSettings = { level: "info", requests: !onTerminal, format: onTerminal ? "text" : "json" };
  let gathered = "";
  let dropped = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (gathered === "") return;
    const text = gathered;
    gathered = "";
    target.write(text);
  }

  function write(level: Level, fields: Fields): void {
    if (levels.indexOf(level) > levels.indexOf(settings.level)) return;
    gathered += `${(settings.format === "json" ? jsonLine : textLine)(new Date(), level, fields)}\n`;
    // The process may end after an error.
    if (level === "error") flush();
    else timer ??= setTimeout(flush, gatherMs);
  }

  return {
    get settings() {
      return settings;
    },
    configure(changed) {
      settings = { ...settings, ...changed };
    },
    write,
    served(level, fields) {
      if (!settings.requests && level === "info") return;
      if (gathered.length + (target.writableLength ?? 0) > heldAtMost) {
        dropped++;
        return;
      }
      if (dropped > 0) write("warn", { message: `${dropped} lines were left out: the output was not read` });
      dropped = 0;
      write(level, fields);
    },
    flush,
  };
}

/** Reads the log's settings from the environment. @throws Error one line that names the variable */
export function logSettings(variables: Readonly<Record<string, string | undefined>>): Partial<LogSettings> {
  const given = variables["LOG_LEVEL"]?.trim();
  const level = levels.find((one) => one === given);
  if (given && level === undefined) throw new Error(`LOG_LEVEL must be one of ${levels.join(", ")}`);
  const requests = variables["LOG_REQUESTS"]?.trim();
  if (requests && requests !== "0" && requests !== "1") throw new Error("LOG_REQUESTS must be 0 or 1");
  return { ...(level !== undefined && { level }), ...(requests && { requests: requests === "1" }) };
}

/** The log of this process. */
export const log: Log = createLog(process.stderr);
process.on("exit", () => log.flush());
