import { type PluginNode, unavailable } from "@plinth/core";
import { logCandidates } from "../service.js";
import { OpenIndex } from "./open-index.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** Opens the index with the chain, writes it with every block, and adds older blocks in the background. */
export function registerLogIndex(
  { hooks, services, storage, log, metrics, onStart }: Registering,
  { isEnabled }: { readonly isEnabled: boolean },
): void {
  if (!isEnabled) {
    services.provide(logCandidates, () => unavailable("--log-index-enabled is not set"));
    return;
  }
  const opened = new OpenIndex(storage.table("postings", { isDerived: true }), { log, metrics });
  services.provide(logCandidates, (runtime) => opened.open(runtime));
  hooks.chain.commit.tap((event) => opened.commit(event));
  hooks.chain.headChanged.tap(() => opened.headMoved());
  onStart((runtime) => runtime.tasks.run("log index", (signal) => opened.build(runtime, signal)));
}
