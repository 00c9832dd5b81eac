import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { ConfigError, messageOf } from "@plinth/core";

const MEBIBYTE = 2 ** 20;
const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants;
/** A pipe would block. */
const APPEND = O_APPEND | O_CREAT | O_WRONLY | (O_NONBLOCK ?? 0);

/**
 * A log file with a size limit: a full file becomes `FILE.1`, older ones `FILE.2` and so on.
 *
 * It is copied and truncated, not renamed: standard error of the process may be redirected to the
 * same file. Others may move, truncate or remove it; lines go to the file with the name.
 */
export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #kept: number;
  #fd: number;
  #isFailing = false;

  /** Keeps `kept` files, including the current one; throws if the file cannot be opened. */
  constructor(path: string, { mebibytes, kept }: { mebibytes: number; kept: number }) {
    this.#path = path;
    this.#maxBytes = mebibytes * MEBIBYTE;
    this.#kept = kept;
    try {
      this.#fd = openFile(path);
    } catch (cause) {
      throw notWritable(path, cause);
    }
  }

  /**
   * A full disk stops no node: the reason is written to standard error, once until lines are
   * written again.
   */
  write(text: string): void {
    try {
      if (this.#findSize() >= this.#maxBytes) this.#rotate();
      appendFileSync(this.#fd, text);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) warn(`${this.#path} cannot be written, lines are lost`, error);
      this.#isFailing = true;
    }
  }

  /** The size of the file with that name; reopens it if it was replaced. */
  #findSize(): number {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    if (found !== undefined && isSame(found, fstatSync(this.#fd))) return found.size;
    const fd = openFile(this.#path);
    closeSync(this.#fd);
    this.#fd = fd;
    return fstatSync(fd).size;
  }

  /** The limit applies, and the newest lines are kept, even if the older ones cannot be. */
  #rotate(): void {
    try {
      for (let age = this.#kept - 2; age > 0; age--) {
        if (existsSync(`${this.#path}.${age}`)) {
          renameSync(`${this.#path}.${age}`, `${this.#path}.${age + 1}`);
        }
      }
      if (this.#kept > 1) copyFileSync(this.#path, `${this.#path}.1`);
    } catch (error) {
      warn(`${this.#path} is full and cannot be copied, older lines are lost`, error);
    }
    ftruncateSync(this.#fd);
  }
}

/** Throws if a log file could not be opened; nothing is written. */
export function verifyLogFile(path: string): void {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) verifyKind(found);
    accessSync(found === undefined ? dirname(path) : path, constants.W_OK);
  } catch (cause) {
    throw notWritable(path, cause);
  }
}

function openFile(path: string): number {
  const fd = openSync(path, APPEND, 0o640);
  try {
    verifyKind(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Neither a pipe nor a device can be rotated. */
function verifyKind(found: Stats): void {
  if (found.isDirectory()) throw new Error("it is a folder");
  if (!found.isFile()) throw new Error("it is a pipe, a socket or a device; expected a file");
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function warn(what: string, error: unknown): void {
  process.stderr.write(`${what}: ${messageOf(error)}\n`);
}

function notWritable(path: string, cause: unknown): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--logging-file': ${path} cannot be written: ${messageOf(cause)}`,
    option: "logging-file",
    cause,
  });
}
