import type { Hash, HeadChanged, RuntimeWith, SealedHeader } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import {
  type GroupExecuted,
  PARTICIPANT_REMOVED,
  PROXY_ADDRESS,
  removedKey,
} from "@plinth/plugin-privacy/api";
import type { dependencies } from "./dependencies.js";
import { PrivateFilters } from "./private-filters.js";
import { logsOfBlock } from "./private-logs.js";
import { PrivateSubscriptions } from "./private-subscriptions.js";

type GroupWatchContext = Pick<
  RuntimeWith<typeof dependencies>,
  "privacy" | "chain" | "compatibility" | "clock" | "signal" | "tasks"
>;

/** Filters and subscriptions for the logs of groups, driven by the effects of blocks on them. */
export class GroupWatch {
  readonly filters = new PrivateFilters();
  readonly subscriptions = new PrivateSubscriptions();

  open(runtime: GroupWatchContext): void {
    const { privacy, tasks, clock, signal } = runtime;
    if (privacy.node === undefined) return;
    const stop = privacy.node.executor.onExecuted(({ group, header, transactions }) => {
      const isRemoved = runtime.chain.blocks.findHeader(header.number)?.hash !== header.hash;
      const isWatched = this.#groups().has(toBase64(group));
      if (!isWatched || isRemoved) return;
      const markers = new Set(transactions.map(({ marker }) => marker));
      this.#tell(runtime, { group, header, isRemoved, markers });
      for (const key of removedKeys(transactions)) this.#endOf(toBase64(group), key);
    });
    signal.addEventListener("abort", stop, { once: true });
    tasks.run("private filters", (signal) => this.filters.sweep(clock, signal));
  }

  /**
   * Removes the logs of blocks that left the chain; if a block returns, it is re-executed and
   * delivers them again.
   */
  headChanged({ removed }: HeadChanged, runtime: GroupWatchContext): void {
    if (runtime.privacy.node === undefined || removed.length === 0) return;
    for (const name of this.#groups()) {
      const group = Buffer.from(name, "base64");
      for (const { header } of removed) this.#tell(runtime, { group, header, isRemoved: true });
    }
  }

  /** A key that was removed from a flexible group receives nothing more of it. */
  #endOf(group: string, key: string): void {
    this.filters.removeOf(group, key);
    this.subscriptions.removeOf(group, key);
  }

  #groups(): ReadonlySet<string> {
    return new Set([...this.filters.groups(), ...this.subscriptions.groups()]);
  }

  #tell(
    { privacy, chain, compatibility }: GroupWatchContext,
    change: {
      readonly group: Uint8Array;
      readonly header: SealedHeader;
      readonly isRemoved: boolean;
      /** Logs of other private transactions are omitted. */
      readonly markers?: ReadonlySet<Hash>;
    },
  ): void {
    const { node } = privacy;
    if (node === undefined) return;
    const { group, header, markers } = change;
    // Read once for all subscribers.
    const logs = logsOfBlock(node, chain.blocks, change).filter(
      ({ transactionHash }) => markers?.has(transactionHash) !== false,
    );
    const summary = { privacyGroupId: toBase64(group), number: header.number, logs };
    this.filters.changed(summary);
    this.subscriptions.changed(summary, compatibility);
  }
}

/** The keys that the contract of a flexible group has removed. */
function removedKeys(transactions: GroupExecuted["transactions"]): readonly string[] {
  return transactions
    .flatMap(({ receipt }) => receipt.logs)
    .filter(({ address, topics }) => address === PROXY_ADDRESS && topics[0] === PARTICIPANT_REMOVED)
    .map(({ data }) => removedKey(data))
    .filter((key) => key !== undefined);
}
