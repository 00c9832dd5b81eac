import { existsSync } from "node:fs";
import { join } from "node:path";
import { HEAD_MARKER_FILE } from "@plinth/chain";
import { ConfigError, InvariantError } from "@plinth/core";
import type { GenesisContext, OpeningEvent } from "@plinth/core/chain";
import { type BlockChoice, chooseBlock } from "./choose-block.js";
import { CloneRefused } from "./clone/clone-refused.js";
import { withFork } from "./fork-genesis.js";
import { type ForkRecord, forkRecord } from "./fork-record.js";
import type { ForkMode } from "./options.js";
import { RemoteUnreachable } from "./remote/errors.js";
import type { Remote } from "./remote/remote.js";

/** The folder of the database in a data folder. */
const DATABASE = "database";
/** Less than a node waits for the taps of a hook at its start, whose error would not name the other node. */
const LIMIT_MS = 25_000;

/** The operator's settings of a fork. */
export interface ForkChoice extends BlockChoice {
  /** `undefined` without `--fork-url`. */
  readonly remote: Remote | undefined;
  readonly mode?: ForkMode;
  /** How long reading the block may take. */
  readonly limitMs?: number;
}

/** The block at which the chain in a data folder begins: as recorded there, or as the operator chooses. */
export class ChosenFork {
  readonly #choice: ForkChoice;
  #record: ForkRecord | undefined;
  #dataPath: string | undefined;
  /** Whether the record is that of a chain that is removed. */
  #isStale = false;

  constructor(choice: ForkChoice) {
    this.#choice = choice;
  }

  /** The block; `undefined` if the chain is no fork. */
  find(): ForkRecord | undefined {
    return this.#record;
  }

  get(): ForkRecord {
    if (this.#record !== undefined) return this.#record;
    throw new InvariantError("the chain is not a fork");
  }

  /** Reads the record, or which block the chain will begin at; rejects if the folder has another chain. */
  async open({ dataPath, isFresh, isOffline }: OpeningEvent): Promise<void> {
    const { remote } = this.#choice;
    this.#dataPath = dataPath;
    const found = await findRecordUnless(isFresh && !isOffline, dataPath);
    const hasDatabase = existsSync(join(dataPath, DATABASE));
    if (found !== undefined && (hasDatabase || remote !== undefined)) {
      this.#verifySame(found);
      this.#record = found;
      return;
    }
    this.#isStale = true;
    if (remote === undefined || isOffline) return;
    // A database without it may have been created by a start that was interrupted.
    if (!isFresh && existsSync(join(dataPath, HEAD_MARKER_FILE))) throw this.#otherChain();
    this.#record = await this.#choose(remote);
  }

  /** The genesis file of the fork; `undefined` for any other chain. */
  change(genesis: object, { findFirst }: GenesisContext): object | undefined {
    const config = Object(Reflect.get(genesis, "config"));
    if (this.#record === undefined || !Object.hasOwn(config, "dev")) return undefined;
    const first = findFirst();
    if (first === undefined || first.parentHash === this.#record.hash) {
      return withFork(genesis, this.#record);
    }
    // The database decides: a record may be left of one that was removed.
    if (this.#choice.remote !== undefined) throw this.#otherChain();
    return undefined;
  }

  /** Records the block, before the chain begins with it. */
  async record({ isLazy }: { readonly isLazy: boolean }): Promise<void> {
    this.#record = { ...this.get(), isLazy };
    const dataPath = this.#dataPath ?? "";
    // A chain in memory has no folder.
    if (existsSync(join(dataPath, DATABASE))) await forkRecord.write(dataPath, this.get());
  }

  /** Removes the record of a chain that was removed. */
  async forget(): Promise<void> {
    if (this.#isStale && this.#record === undefined) await forkRecord.remove(this.#dataPath ?? "");
  }

  async #choose(remote: Remote): Promise<ForkRecord> {
    const { limitMs = LIMIT_MS } = this.#choice;
    const signal = AbortSignal.timeout(limitMs);
    try {
      return await chooseBlock(remote, this.#choice, signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
      throw new RemoteUnreachable(
        remote.name,
        `it did not describe the block within ${limitMs} ms`,
        error,
      );
    }
  }

  #otherChain(): CloneRefused {
    return new CloneRefused(
      `${this.#dataPath} has a chain that is not this fork, which was not changed: --data-path=<PATH> names another folder, --fresh removes a development chain`,
    );
  }

  #verifySame(found: ForkRecord): void {
    const { number, chainId, mode = "AUTO" } = this.#choice;
    const keeps = (option: string, value: bigint | ForkMode, kept: bigint | ForkMode) =>
      new ConfigError("FORK_REFUSED", {
        message: `--${option}=${value}: the fork in ${this.#dataPath} has ${kept} and keeps it, nothing was changed; --fresh starts another one, --data-path names another folder`,
        option,
      });
    if (number !== undefined && number !== found.number) {
      throw keeps("fork-block-number", number, found.number);
    }
    if (chainId !== undefined && chainId !== found.ownChainId) {
      throw keeps("fork-chain-id", chainId, found.ownChainId);
    }
    const kept = found.isLazy === true ? "LAZY" : "CLONE";
    if (mode !== "AUTO" && mode !== kept) throw keeps("fork-mode", mode, kept);
  }
}

async function findRecordUnless(
  isIgnored: boolean,
  dataPath: string,
): Promise<ForkRecord | undefined> {
  return isIgnored ? undefined : forkRecord.find(dataPath);
}
