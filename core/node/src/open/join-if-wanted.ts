import {
  ChainStore,
  findJoinedAt,
  findJoining,
  type JoinSettings,
  joinChain,
  type StateSettings,
  verifyNotJoining,
} from "@plinth/chain";
import { type Clock, ConfigError } from "@plinth/core";
import type { ChainJoin, JoinTarget } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";

const FOREST =
  "a chain can only be joined with --data-storage-format=BONSAI: FOREST needs the states of all blocks";

/** A way to join a chain, and what it needs of the network. */
export interface OfferedJoin extends Pick<JoinTarget, "networkId" | "openNetwork"> {
  readonly join: ChainJoin;
}

/** The inputs to join a chain, if a plugin offers one. */
export interface WantedJoin extends JoinSettings {
  readonly join: OfferedJoin | undefined;
  /** The genesis file. */
  readonly json: object;
  readonly clock: Clock;
  readonly states: Pick<StateSettings, "format">;
}

/** Lets a plugin fill an empty database, or check the chain that it has. */
export async function joinIfWanted(wanted: WantedJoin): Promise<void> {
  const { store } = wanted;
  if (wanted.join === undefined) return;
  const { join } = wanted.join;
  const head = new ChainStore(store).findHead();
  if (head !== undefined) {
    join.found({ head, joinedAt: findJoinedAt(store.table(TABLES.chain)) });
    return;
  }
  await join.join(createTarget(wanted, wanted.join));
  verifyNotJoining(store);
}

function createTarget(
  wanted: WantedJoin,
  { networkId, openNetwork }: Pick<JoinTarget, "networkId" | "openNetwork">,
): JoinTarget {
  const { store, signal, clock, genesis, chainId, engine, json } = wanted;
  return {
    chainId,
    networkId,
    genesis: { json, header: genesis.header },
    finality: engine.finality,
    obstacle: findObstacle(wanted),
    get interrupted() {
      const known = findJoining(store);
      if (known === undefined || known.step === "removal") return undefined;
      return { number: BigInt(known.number), hash: known.hash, option: known.option };
    },
    signal,
    clock,
    hashHeader: (header) => engine.hashHeader(header),
    openNetwork,
    async join(offered) {
      if (wanted.states.format === "FOREST") {
        throw new ConfigError("JOIN_FORMAT", { message: FOREST, option: "data-storage-format" });
      }
      await joinChain(wanted, offered);
    },
  };
}

function findObstacle({ states, engine }: WantedJoin): string | undefined {
  if (states.format === "FOREST") return FOREST;
  if (engine.proveHeaders !== undefined) return undefined;
  return "the consensus engine of this chain has no seals that prove a state";
}
