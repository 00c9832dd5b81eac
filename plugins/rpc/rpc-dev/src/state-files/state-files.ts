import { existsSync, statSync } from "node:fs";
import { readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, DecodeError, messageOf, type OptionValues, type Runtime } from "@plinth/core";
import { replaceFile } from "@plinth/core/storage";
import type { AccountChange } from "@plinth/plugin-consensus-dev/api";
import type { Dev } from "../dev.js";
import type { options } from "../options.js";
import { dumpState, MAX_FILE_BYTES, readDump } from "./state-dump.js";

type Values = Pick<OptionValues<typeof options>, "state" | "loadState" | "dumpState">;

/** The files of `--state`, `--load-state` and `--dump-state`. */
export class StateFiles {
  readonly #values: Values;
  /** Existed and was not loaded, so it may hold the accounts of another chain. */
  #passedOver: string | undefined;

  /** Throws if the file that is written on exit is not writable: on exit it would be too late. */
  constructor(values: Values) {
    this.#values = values;
    const { state, dumpState: target = state } = values;
    if (target !== undefined) verifyWritable(target);
  }

  /** Loads the accounts of a file into a new chain. */
  async load(
    { dev, blocks, fork }: Pick<Dev, "dev" | "blocks" | "fork">,
    { log, production }: Pick<Runtime, "log" | "production">,
  ): Promise<void> {
    const { state, loadState } = this.#values;
    const path = loadState ?? (state !== undefined && existsSync(state) ? state : undefined);
    if (path === undefined) return;
    const first = fork?.start() ?? blocks.findHeader(0n)?.hash;
    if (blocks.head().hash !== first) {
      this.#passedOver = path;
      log.warn(
        `${path} is not loaded, because this folder already has a chain; --fresh starts a new one`,
      );
      return;
    }
    const accounts = await readAccounts(path);
    // Block production starts after startup, but this block must exist before the first request.
    production?.start();
    await dev.change(accounts);
    log.info(`Loaded ${accounts.length} accounts from ${path}`);
  }

  /** Writes the accounts of the chain; a file that was not loaded is kept under another name. */
  async dump({ blocks }: Pick<Dev, "blocks">, { log }: Pick<Runtime, "log">): Promise<void> {
    const { state, dumpState: target = state } = this.#values;
    if (target === undefined) return;
    const dump = dumpState(blocks);
    if (target === this.#passedOver && existsSync(target)) await rename(target, `${target}.bak`);
    await replaceFile(target, dump, { isSynced: true });
    log.info(`Wrote the state to ${target}`);
  }
}

function verifyWritable(path: string): void {
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  const problem =
    folder?.isDirectory() !== true
      ? `the folder ${dirname(path)} does not exist`
      : statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
        ? "it is a folder"
        : undefined;
  if (problem === undefined) return;
  throw new ConfigError("STATE_FILE_INVALID", {
    message: `the state cannot be written to ${path}: ${problem}`,
    path,
  });
}

async function readAccounts(path: string): Promise<readonly AccountChange[]> {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_FILE_BYTES) {
      throw new DecodeError("state", "a file of at most 512 MiB");
    }
    return readDump(decodeHex(await readFile(path)), MAX_FILE_BYTES);
  } catch (error) {
    const isOurs = error instanceof DecodeError || (error instanceof Error && "code" in error);
    if (!isOurs) throw error;
    throw new ConfigError("STATE_FILE_INVALID", {
      message: `${path}: ${messageOf(error)}; expected a file of --dump-state, of anvil_dumpState or of Anvil`,
      cause: error,
    });
  }
}

/** The result of `anvil_dumpState` may have been saved unchanged, in hex. */
function decodeHex(bytes: Buffer): Uint8Array {
  const text = bytes.subarray(0, 2).toString() === "0x" ? bytes.toString().trim() : undefined;
  return text === undefined ? bytes : Buffer.from(text.slice(2), "hex");
}
