import type { PluginNode } from "@plinth/core";
import { OpenIndex } from "./open-index.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/**
 * Opens the index with the chain, updates it with every block, and adds older blocks in the
 * background.
 */
export function registerLogIndex(
  { hooks, storage, log, metrics, onStart }: Registering,
  { isEnabled }: { readonly isEnabled: boolean },
): void {
  if (!isEnabled) return;
  const opened = new OpenIndex(storage.table("postings", { isDerived: true }), { log, metrics });
  hooks.lifecycle.opened.tap((_, runtime) => opened.open(runtime));
  hooks.chain.commit.tap((event) => opened.commit(event));
  hooks.chain.headChanged.tap(() => opened.headMoved());
  onStart((runtime) => runtime.tasks.run("log index", (signal) => opened.build(runtime, signal)));
}
