import type { HeadChanged, RuntimeWith, SealedHeader } from "@plinth/core";
import type { dependencies } from "./dependencies.js";
import { PrivateFilters } from "./private-filters.js";
import { PrivateSubscriptions } from "./private-subscriptions.js";

type Surroundings = Pick<
  RuntimeWith<typeof dependencies>,
  "privacy" | "chain" | "compatibility" | "clock" | "signal" | "tasks"
>;

/** Filters and subscriptions for the logs of groups, which follow what blocks do to them. */
export class GroupWatch {
  readonly filters = new PrivateFilters();
  readonly subscriptions = new PrivateSubscriptions();

  open(runtime: Surroundings): void {
    const { privacy, tasks, clock, signal } = runtime;
    if (privacy.node === undefined) return;
    const stop = privacy.node.executor.onExecuted(({ group, header }) => {
      const isRemoved = runtime.chain.blocks.findHeader(header.number)?.hash !== header.hash;
      if (!isRemoved) this.#tell(runtime, { group, header, isRemoved });
    });
    signal.addEventListener("abort", stop, { once: true });
    tasks.run("private filters", (signal) => this.filters.sweep(clock, signal));
  }

  /** Blocks that left the chain take their logs back; those that ran before and are here again bring them again. */
  headChanged({ removed, added }: HeadChanged, runtime: Surroundings): void {
    if (runtime.privacy.node === undefined || removed.length === 0) return;
    for (const group of [...this.filters.groups(), ...this.subscriptions.groups()]) {
      for (const { header } of removed) this.#tell(runtime, { group, header, isRemoved: true });
      for (const { header } of added) this.#tell(runtime, { group, header, isRemoved: false });
    }
  }

  #tell(
    { privacy, chain, compatibility }: Surroundings,
    change: {
      readonly group: Uint8Array;
      readonly header: SealedHeader;
      readonly isRemoved: boolean;
    },
  ): void {
    const { node } = privacy;
    if (node === undefined) return;
    const { blocks } = chain;
    this.filters.changed(node, blocks, change);
    this.subscriptions.changed(node, { blocks, compatibility }, change);
  }
}
