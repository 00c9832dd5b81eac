import type { SealedBlock } from "../blocks/block.js";
import type { SealedHeader } from "../blocks/header.js";
import type { Receipt } from "../blocks/receipt.js";
import type { EvmResult } from "../evm/evm.js";
import type { StateReader } from "../evm/world-state.js";
import { parseGenesis } from "../genesis/genesis.js";
import type { HookFactory } from "../kernel/hooks.js";
import type { PluginBatch } from "../storage/plugin-table.js";
import type { StorageDriver } from "../storage/store.js";
import type { BadBlock } from "./bad-block.js";
import type { ImportOrigin } from "./import-result.js";

/** A batch that adds a block or changes the head: complete, but not written. */
export interface CommitEvent {
  /** The block being added; `undefined` if only the head changes. */
  readonly block?: SealedBlock;
  readonly receipts: readonly Receipt[];
  /** The outcome of each of its transactions. */
  readonly results: readonly EvmResult[];
  readonly placement: "head" | "side";
  /** Blocks that join the canonical chain, the head last. */
  readonly added: readonly SealedBlock[];
  /** Blocks that leave it, the old head first. */
  readonly removed: readonly SealedBlock[];
  /** Blocks whose bodies and receipts are removed with the batch; until then they can be read. */
  readonly pruned: readonly SealedBlock[];
  /** Accepts data that plugins store with the block. */
  readonly batch: PluginBatch;
}

/**
 * Why the canonical chain changed: a block was added, the operator made a known block the head, or a block was added to a
 * node that follows others, whose pool has no transactions.
 */
export type HeadChangeCause = "import" | "rewind" | "follow";

/** The canonical chain changed. */
export interface HeadChanged {
  readonly cause: HeadChangeCause;
  readonly head: SealedHeader;
  /** Blocks that joined it, the head last. */
  readonly added: readonly SealedBlock[];
  /** Blocks that left it; empty unless it was a reorganization or a rewind. */
  readonly removed: readonly SealedBlock[];
}

/** A data folder whose chain is about to be opened. */
export interface OpeningEvent {
  readonly dataPath: string;
  /** Whether the chain in it is removed first. */
  readonly isFresh: boolean;
  /** For commands: the chain that is there is opened, none is created. */
  readonly isOffline: boolean;
  /** The driver of its database. */
  readonly storage: StorageDriver;
}

/** The database that a genesis file is read for. */
export interface GenesisContext {
  /** Block 0 of the database; `undefined` if it is empty or not open yet. */
  findFirst(): SealedHeader | undefined;
}

/** A header that satisfies the rules of its chain. */
export interface HeaderEvent {
  readonly header: SealedHeader;
  readonly parent: SealedHeader;
}

/** A block whose header commits to its body; not executed yet. */
export interface BlockEvent {
  readonly block: SealedBlock;
  readonly parent: SealedHeader;
}

/** A block about to be executed on the state of its parent. */
export interface BeforeExecutionEvent extends BlockEvent {
  readonly state: StateReader;
}

/** A block whose execution matches its header; not stored yet. */
export interface ExecutedEvent {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
  /** The outcome of each of its transactions. */
  readonly results: readonly EvmResult[];
}

/** A block that was written. */
export interface ImportedEvent {
  readonly block: SealedBlock;
  readonly origin: ImportOrigin;
  readonly placement: "head" | "side";
}

/** Hooks of the chain. */
export function createChainHooks(hook: HookFactory) {
  return {
    opening: hook.earlyCheck<OpeningEvent>("chain.opening", {
      since: "0.1.0",
      summary:
        "Before the genesis file is read: read what its changes depend on. Throw to keep the node from being opened.",
    }),
    genesis: hook.rewrite<object, GenesisContext>(
      "chain.genesis",
      {
        since: "0.1.0",
        summary:
          "The JSON of the genesis file was read: return it with the changes of the options. The accounts of a large file are not in it; those that a tap adds to `alloc` precede them. Called again once the database is open, which may contain a block 0.",
      },
      { isRight: isGenesis, text: "the JSON of a genesis file" },
    ),
    verifyHeader: hook.check<HeaderEvent>("chain.verifyHeader", {
      since: "0.1.0",
      summary: "A header satisfies the rules of its chain: throw to reject it anyway.",
    }),
    verifyBlock: hook.check<BlockEvent>("chain.verifyBlock", {
      since: "0.1.0",
      summary:
        "A block is valid as far as can be checked without executing it: throw to reject it.",
    }),
    beforeExecution: hook.check<BeforeExecutionEvent>("chain.beforeExecution", {
      since: "0.1.0",
      summary:
        "The state of the parent is open and nothing of the block has run: throw to reject it. Not called for blocks that this node built: they ran while they were built.",
    }),
    executed: hook.check<ExecutedEvent>("chain.executed", {
      since: "0.1.0",
      summary: "A block has run and its roots match: throw to reject it.",
    }),
    commit: hook.check<CommitEvent>("chain.commit", {
      since: "0.1.0",
      summary:
        "A batch that adds a block or changes the head is about to be written: add the data to store with the block. If a tap throws, nothing is written and the import fails.",
    }),
    imported: hook.observe<ImportedEvent>("chain.imported", {
      since: "0.1.0",
      summary: "A block is on disk, as the head or on a side branch.",
    }),
    badBlock: hook.notify<BadBlock & { readonly origin: ImportOrigin }>("chain.badBlock", {
      since: "0.1.0",
      summary: "A block was rejected permanently.",
    }),
    headChanged: hook.observe<HeadChanged>("chain.headChanged", {
      since: "0.1.0",
      summary:
        "The canonical chain changed. Notifications are in order: the next block is not imported before every tap has returned, so a tap must not wait for another import. `removed` is empty unless it was a reorganization, or a rewind by the operator (`cause` is `rewind`), after which the pool does not take the removed transactions back. The batch is on disk.",
    }),
  };
}

/** Whether the result can be read; the file itself was validated before any tap received it. */
function isGenesis(answer: unknown): boolean {
  try {
    parseGenesis(answer, "genesis");
    return true;
  } catch {
    return false;
  }
}

/** Hooks of the chain, as held by their owner. */
export type ChainHooks = ReturnType<typeof createChainHooks>;
