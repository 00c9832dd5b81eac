import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

const MEBIBYTE = 2 ** 20;

/**
 * A file for log lines with a limit: what is full becomes `FILE.1`, older ones `FILE.2` and so on.
 *
 * It is copied and emptied, not renamed: standard error of the process may lead to the same file.
 */
export class LogFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #maxBytes: number;
  readonly #kept: number;
  #bytes: number;
  #isFailing = false;

  /** Of `kept` files, with the one that is written; throws where the file cannot be opened. */
  constructor(path: string, { mebibytes, kept }: { mebibytes: number; kept: number }) {
    this.#path = path;
    this.#maxBytes = mebibytes * MEBIBYTE;
    this.#kept = kept;
    try {
      this.#fd = openSync(path, "a", 0o640);
      this.#bytes = statSync(path).size;
    } catch (cause) {
      throw notWritable(path, cause);
    }
  }

  /** A disk that is full stops no node: standard error has the reason, once until lines are written again. */
  write(text: string): void {
    try {
      if (this.#bytes >= this.#maxBytes) this.#rotate();
      this.#bytes += writeSync(this.#fd, text);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) {
        process.stderr.write(
          `${this.#path} cannot be written, lines are lost: ${messageOf(error)}\n`,
        );
      }
      this.#isFailing = true;
    }
  }

  #rotate(): void {
    for (let age = this.#kept - 2; age > 0; age--) {
      if (existsSync(`${this.#path}.${age}`)) {
        renameSync(`${this.#path}.${age}`, `${this.#path}.${age + 1}`);
      }
    }
    if (this.#kept > 1) copyFileSync(this.#path, `${this.#path}.1`);
    truncateSync(this.#path);
    this.#bytes = 0;
  }
}

/** Throws where a log file could not be opened; nothing is written. */
export function verifyLogFile(path: string): void {
  const place = existsSync(path) ? path : dirname(path);
  try {
    if (place === path && statSync(path).isDirectory()) throw new Error("it is a folder");
    accessSync(place, constants.W_OK);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

function notWritable(path: string, cause: unknown): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--logging-file': ${path} cannot be written: ${messageOf(cause)}`,
    option: "logging-file",
    cause,
  });
}
