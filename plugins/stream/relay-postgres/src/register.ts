import { ConfigError, type Health, type OptionValues, type PluginNode } from "@plinth/core";
import { readEvents } from "./abi/abi-files.js";
import { relayRebuild } from "./commands/rebuild.js";
import { relayStatus } from "./commands/status.js";
import { relayVerify } from "./commands/verify.js";
import { parseLocation } from "./database/location.js";
import { openDatabase } from "./database/open-database.js";
import type { dependencies } from "./dependencies.js";
import { BATCH_BYTES } from "./limits.js";
import { OpenRelay } from "./open-relay.js";
import type { options } from "./options.js";

// biome-ignore lint/complexity/noBannedTypes: no options are the empty object
type Registering = Omit<PluginNode<{}, typeof dependencies>, "config">;

/** Relays the chain from the start of the node on, and reports how far it is. */
export function registerRelay(
  { cli, log, metrics, health, onStart }: Registering,
  config: OptionValues<typeof options>,
  open = openDatabase,
): void {
  const { relayPostgresUrl: url, relayPostgresMaxLag: maxLag } = config;
  cli.command(relayStatus(config, open));
  cli.command(relayRebuild(config, open));
  cli.command(relayVerify(config, open));
  if (url === undefined) return;
  const relay = new OpenRelay(
    {
      location: parseLocation(url),
      passwordFile: config.relayPostgresPasswordFile,
      schema: config.relayPostgresSchema,
      limits: { blocks: config.relayPostgresBatchBlocks, bytes: BATCH_BYTES },
    },
    { log, metrics, open },
  );
  let findHead = () => 0n;
  const findLag = () => Number(findHead() - (relay.lastBlock ?? -1n));
  metrics.gauge({
    name: "lag_blocks",
    help: "Blocks of the chain that are not in PostgreSQL yet.",
    collect: findLag,
  });
  metrics.gauge({
    name: "last_block",
    help: "The last block in PostgreSQL; -1 if there is none.",
    collect: () => Number(relay.lastBlock ?? -1n),
  });
  metrics.gauge({
    name: "connected",
    help: "Whether the relay is connected to PostgreSQL.",
    collect: () => (relay.problem === undefined ? 1 : 0),
  });
  health.check("relay", () => healthOf(relay.problem, findLag(), maxLag));
  onStart(async (runtime) => {
    const { changes, chain, tasks } = runtime;
    if (changes === undefined) {
      throw new ConfigError("RELAY_NEEDS_CHANGES", {
        message: "--relay-postgres-url needs --changes-enabled, the stream that the relay follows",
      });
    }
    const events = await readEvents(config.relayPostgresAbiFiles);
    findHead = () => chain.blocks.head().number;
    tasks.run("relay to PostgreSQL", (signal) =>
      relay.run({ stream: changes, chain: chain.blocks, events }, runtime.clock, signal),
    );
  });
}

/** Not ready only if the operator has set a limit: the node serves its callers without the database. */
function healthOf(problem: string | undefined, lag: number, maxLag: number): Health {
  const behind = `${lag} blocks behind`;
  if (maxLag > 0 && lag > maxLag) {
    const detail = `${behind}, more than --relay-postgres-max-lag=${maxLag}`;
    return { status: "down", detail: problem === undefined ? detail : `${detail}: ${problem}` };
  }
  if (problem !== undefined) return { status: "degraded", detail: `${behind}: ${problem}` };
  return { status: "up", detail: behind };
}
