import { type PluginNode, unavailable } from "@plinth/core";
import { OpenIndex } from "./open-index.js";
import { rebuildAddressIndex } from "./rebuild-command.js";
import { recordQuery } from "./record-query.js";
import { addressIndex } from "./service.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** Opens the index with the chain, removes what leaves the chain, and adds blocks in the background. */
export function registerAddressIndex(
  { hooks, storage, log, metrics, services, query, cli, onStart }: Registering,
  { isEnabled }: { readonly isEnabled: boolean },
): void {
  const table = storage.table("entries", { isDerived: true });
  cli.command(rebuildAddressIndex(table));
  if (!isEnabled) {
    services.provide(addressIndex, () => unavailable("--address-index-enabled is not set"));
    return;
  }
  query(recordQuery);
  const opened = new OpenIndex(table, { log, metrics });
  services.provide(addressIndex, (runtime) => opened.open(runtime));
  hooks.chain.commit.tap((event) => opened.commit(event));
  hooks.chain.headChanged.tap(() => opened.headMoved());
  onStart((runtime) =>
    runtime.tasks.run("address index", (signal) => opened.build(runtime, signal)),
  );
}
