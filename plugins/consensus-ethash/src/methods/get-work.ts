import { type Call, method, t, toQuantity } from "@plinth/core";
import type { RemoteSealer } from "../remote-sealer.js";
import { findWork } from "./find-work.js";

/** `eth_getWork`: what a miner outside of the node can work on. */
export const getWork = (sealer: RemoteSealer) =>
  method({
    summary:
      "Returns the hash to be sealed, the seed of its epoch, the target and the block's number.",
    result: t.array(t.text),
    example: {
      params: [],
      result: [`0x${"ab".repeat(32)}`, `0x${"00".repeat(32)}`, `0x${"00".repeat(32)}`, "0x1"],
    },
    handle(_, call: Call) {
      const { powHash, seedHash, target, number } = findWork(sealer, call);
      return [powHash, seedHash, target, toQuantity(number)];
    },
  });
