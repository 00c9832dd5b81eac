import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { ConfigError, DecodeError, messageOf, type OptionValues, type Runtime } from "@plinth/core";
import type { AccountChange } from "@plinth/plugin-consensus-dev/api";
import type { Dev } from "./dev.js";
import type { options } from "./options.js";
import { dumpState, readDump } from "./state-dump.js";

type Values = Pick<OptionValues<typeof options>, "state" | "loadState" | "dumpState">;

/** Puts the accounts of `--load-state` or `--state` onto a chain that has just begun. */
export async function loadStateFile(
  { state, loadState }: Values,
  { dev, blocks }: Pick<Dev, "dev" | "blocks">,
  { log, production }: Pick<Runtime, "log" | "production">,
): Promise<void> {
  const path = loadState ?? (state !== undefined && existsSync(state) ? state : undefined);
  if (path === undefined) return;
  if (blocks.head().number > 0n) {
    log.warn(`${path} is not loaded: the chain in this folder goes on; --fresh begins a new one`);
    return;
  }
  const accounts = await readAccounts(path);
  // Blocks are made from the end of the start on, and this one must come before the first request.
  production?.start();
  await dev.change(...accounts);
  log.info(`${accounts.length} accounts of ${path} are loaded`);
}

/** Writes the accounts of the chain to `--dump-state` or `--state`. */
export async function dumpStateFile(
  { state, dumpState: target = state }: Values,
  { blocks }: Pick<Dev, "blocks">,
  { log }: Pick<Runtime, "log">,
): Promise<void> {
  if (target === undefined) return;
  await writeFile(target, dumpState(blocks));
  log.info(`The state is written to ${target}`);
}

async function readAccounts(path: string): Promise<readonly AccountChange[]> {
  try {
    return readDump(decodeHex(await readFile(path)));
  } catch (error) {
    const isOurs = error instanceof DecodeError || (error instanceof Error && "code" in error);
    if (!isOurs) throw error;
    throw new ConfigError("STATE_FILE_INVALID", {
      message: `${path}: ${messageOf(error)}; expected a file of --dump-state, of anvil_dumpState or of Anvil`,
      cause: error,
    });
  }
}

/** What `anvil_dumpState` answered may have been saved as it is, in hex. */
function decodeHex(bytes: Buffer): Uint8Array {
  const text = bytes.subarray(0, 2).toString() === "0x" ? bytes.toString().trim() : undefined;
  return text === undefined ? bytes : Buffer.from(text.slice(2), "hex");
}
