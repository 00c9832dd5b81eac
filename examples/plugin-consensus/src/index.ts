import { ConfigError, defineEngine, definePlugin, RpcError } from "@plinth/core";
import { Authorities } from "./authorities.js";
import { TurnsEngine } from "./engine.js";
import * as methods from "./methods.js";
import { Proposals } from "./proposals.js";
import { settings, transition } from "./settings.js";
import { SignedBlocks } from "./signed-blocks.js";

export default definePlugin({
  name: "consensus-turns",
  setup({ consensus, storage, rpc }) {
    const signed = new SignedBlocks(storage.table("signed"));
    const proposals = new Proposals(storage.table("proposals"));
    let authorities: Authorities | undefined;
    consensus.engine(
      defineEngine({
        key: "turns",
        settings,
        transition,
        create(context) {
          if (context.settings.authorities.length === 0) {
            throw new ConfigError("GENESIS_INVALID", {
              message: "config.turns.authorities: expected at least one address",
            });
          }
          authorities = new Authorities(context.settings.authorities);
          return new TurnsEngine(context, {
            authorities,
            signed,
            proposal: () => proposals.current(),
          });
        },
      }),
    );
    rpc.namespace("turns", {
      authorities: methods.authorities(() => {
        if (authorities !== undefined) return authorities;
        throw RpcError.methodNotEnabled("the genesis file names another engine than turns");
      }),
      propose: methods.propose(proposals),
      discard: methods.discard(proposals),
    });
  },
});
