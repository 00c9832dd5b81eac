import { type Logger, type OptionValues, type PluginNode, RpcError } from "@plinth/core";
import { following } from "@plinth/core/chain";
import { Follower } from "./chain/follower.js";
import { Lag } from "./chain/lag.js";
import { Rotation } from "./chain/rotation.js";
import { wrapMethod } from "./forward/wrap-method.js";
import type { options } from "./options.js";
import { verifyOptions } from "./refused-options.js";
import { type SentCall, Source, type SourceLimits } from "./source/source.js";
import { SourceProblem } from "./source/source-problem.js";
import { TokenFile } from "./source/token-file.js";

// biome-ignore lint/complexity/noBannedTypes: no options and no dependencies are the empty object
type Registering = Omit<PluginNode<{}, {}>, "config">;

/** The parts of a replica that run. */
interface Replica {
  readonly rotation: Rotation;
  readonly follower: Follower;
  readonly lag: Lag;
}

/** Follows the streams of other nodes, if any are named; does nothing otherwise. */
export function registerReplica(
  { hooks, storage, log, metrics, health, contribute, onStart }: Registering,
  { follow, followTokenFile, followMaxLagSeconds: maxSeconds }: OptionValues<typeof options>,
  limits: SourceLimits = {},
): void {
  if (follow.length === 0) return;
  const token = followTokenFile === undefined ? undefined : new TokenFile(followTokenFile);
  const sources = follow.map((address) => new Source(address, token, limits));
  const table = storage.table("position", { isDerived: true });
  let replica: Replica | undefined;
  contribute(following, true);
  hooks.lifecycle.registered.tap((event) => verifyOptions(event));
  hooks.lifecycle.starting.tap(async () => void (await token?.read()));
  hooks.chain.commit.tap((event) => replica?.follower.commit(event));
  hooks.pool.admit.tap(() => ({ message: NO_POOL }));
  hooks.rpc.method.tap((method, place) =>
    wrapMethod(method, place, async (call, signal) => {
      const source = replica?.rotation.preferred ?? sources[0];
      if (source === undefined) throw new RpcError(UNREACHABLE, "no source is named");
      return callSource(source, call, { signal, log });
    }),
  );
  health.check("source", () => replica?.lag.health() ?? { status: "down" });
  onStart((runtime) => {
    const { chain, clock, sync, tasks } = runtime;
    const rotation = new Rotation(sources, { clock, log });
    const lag = new Lag({ clock, rotation, maxSeconds });
    const starting = chain.blocks.head().number;
    const follower = new Follower({
      ...{ chain, table, clock },
      progressed(source, progress, hasDelivered) {
        if (hasDelivered) rotation.delivers(source);
        lag.report(progress);
        const current = chain.blocks.head().number;
        const left = lag.blocks ?? 0;
        const highest = current + BigInt(left);
        sync.report({ starting, current, highest, syncing: left > MAX_BEHIND });
      },
    });
    replica = { rotation, follower, lag };
    tasks.run("following", (signal) =>
      rotation.run((source, ending) => follower.follow(source, ending), signal),
    );
  });
  metrics.gauge({
    name: "lag_blocks",
    help: "Records of the source that are not applied yet, one for each block.",
    collect: () => replica?.lag.blocks ?? 0,
  });
  metrics.gauge({
    name: "lag_seconds",
    help: "Seconds since the node had everything that its source has; since its start if it never had.",
    collect: () => replica?.lag.seconds ?? 0,
  });
  metrics.gauge({
    name: "sources_left",
    help: "How often a source failed, or delivered what was rejected.",
    collect: () => replica?.rotation.switches ?? 0,
  });
}

/**
 * A call that a source does not serve is an error for the caller: whether it had an effect is not known. Why is for the operator,
 * since the caller may not know the source.
 */
async function callSource(
  source: Source,
  call: SentCall,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<object> {
  try {
    return await source.call(call, signal);
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    log.debug(`${call.method} could not be forwarded: ${error.message}`);
    throw new RpcError(UNREACHABLE, "the source of this replica could not be called");
  }
}

const UNREACHABLE = -32000;
const NO_POOL =
  "this node is a replica (--follow): send transactions with eth_sendRawTransaction, which its source gets";
/** A node that is only a few blocks behind does not report that it is syncing. */
const MAX_BEHIND = 2;
