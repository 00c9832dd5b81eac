import { type OptionValues, type PluginNode, unavailable } from "@plinth/core";
import { readChanges } from "@plinth/core/chain";
import { findIn } from "./delivery/found-stream.js";
import { changeRoutes } from "./delivery/routes.js";
import { ChangeSubscriptions } from "./delivery/subscriptions.js";
import { createMethods } from "./methods/index.js";
import { OpenStream } from "./open-stream.js";
import type { options } from "./options.js";
import { changeStream } from "./service.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** Opens the stream with the chain, adds the changes of every batch, and serves readers. */
export function registerChanges(
  { hooks, storage, log, metrics, services, rpc, http, contribute }: Registering,
  { changesEnabled, changesRetained }: OptionValues<typeof options>,
): void {
  const opened = new OpenStream(storage.table("records", { isDerived: true }), {
    retained: changesRetained,
    log,
  });
  const subscriptions = new ChangeSubscriptions();
  const find = findIn(opened);
  rpc.namespace("plinth", createMethods(find, subscriptions));
  if (!changesEnabled) {
    services.provide(changeStream, () => unavailable("--changes-enabled is not set"));
    return;
  }
  contribute(readChanges, changesRetained);
  services.provide(changeStream, (runtime) => opened.open(runtime));
  hooks.chain.commit.tap((event) => opened.commit(event));
  for (const route of changeRoutes(find)) http.route(route);
  metrics.gauge({
    name: "last_sequence",
    help: "The last record of the stream of changes.",
    collect: () => Number(opened.stream?.descriptor.lastSequence ?? 0n),
  });
  metrics.gauge({
    name: "first_sequence",
    help: "The first record of the stream of changes that is kept.",
    collect: () => Number(opened.stream?.descriptor.firstSequence ?? 0n),
  });
  metrics.gauge({
    name: "subscriptions",
    help: "Subscriptions to the stream of changes.",
    collect: () => subscriptions.count,
  });
}
