import type { PluginNode } from "@plinth/core";
import { SEGMENT_BLOCKS } from "./bloom-cache.js";
import { DELAY_MS } from "./follower.js";
import { generateLogBloomCache } from "./generate-command.js";
import { createMethods } from "./methods/index.js";
import { OpenCache } from "./open-cache.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** Settings of the cache. */
export interface CacheSettings {
  readonly isAutomatic: boolean;
  readonly segmentBlocks?: number;
  /** Startup has no need of the cache. */
  readonly delayMs?: number;
}

/** Opens the cache with the chain, keeps it up to date, and registers its methods. */
export function registerBloomCache(
  { hooks, rpc, cli, log, onStart }: Registering,
  { isAutomatic, segmentBlocks = SEGMENT_BLOCKS, delayMs = DELAY_MS }: CacheSettings,
): void {
  const opened = new OpenCache(segmentBlocks);
  hooks.lifecycle.opened.tap((_, runtime) => opened.open(runtime));
  hooks.chain.commit.tap((event) => opened.commit(event, log));
  hooks.chain.headChanged.tap(() => opened.headMoved());
  onStart(({ tasks, clock }) => {
    if (isAutomatic)
      tasks.run("log bloom cache", (signal) => opened.follow(clock, signal, delayMs));
  });
  rpc.namespace("admin", createMethods(opened));
  cli.command(generateLogBloomCache(opened, segmentBlocks));
}
