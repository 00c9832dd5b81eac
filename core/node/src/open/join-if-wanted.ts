import {
  ChainStore,
  findJoinedAt,
  findJoining,
  type JoinSettings,
  joinChain,
  type StateSettings,
} from "@plinth/chain";
import { ConfigError } from "@plinth/core";
import type { ChainJoin } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";

/** The inputs to join a chain, if a plugin offers one. */
export interface WantedJoin extends JoinSettings {
  readonly join: ChainJoin | undefined;
  readonly states: Pick<StateSettings, "format">;
}

/** Lets a plugin fill an empty database, or check the chain that it has. */
export async function joinIfWanted(wanted: WantedJoin): Promise<void> {
  const { join, states, store, signal, genesis } = wanted;
  if (join === undefined) return;
  const chain = new ChainStore(store);
  const head = chain.findHead();
  if (head !== undefined) {
    join.found({ head, joinedAt: findJoinedAt(store.table(TABLES.chain)) });
    return;
  }
  if (states.format === "FOREST") {
    throw new ConfigError("JOIN_FORMAT", {
      message:
        "a chain can only be joined with --data-storage-format=BONSAI: FOREST needs the states of all blocks",
      option: "data-storage-format",
    });
  }
  await join.join({
    genesisHash: genesis.header.hash,
    get interrupted() {
      const known = findJoining(store);
      if (known === undefined || known.step === "removal") return undefined;
      return { number: BigInt(known.number), hash: known.hash };
    },
    signal,
    join: (offered) => joinChain(wanted, offered),
  });
  if (chain.findHead() !== undefined) return;
  throw new ConfigError("JOIN_INCOMPLETE", { message: "no chain was joined" });
}
