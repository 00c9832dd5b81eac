import { type Call, method, t, toQuantity } from "@plinth/core";
import type { RemoteSealer } from "../remote-sealer.js";
import { findWork } from "./find-work.js";

/** How long a miner waits for work that is being prepared. */
const LONGEST_MS = 2000;

/** `eth_getWork`: the work for external miners. */
export const getWork = (sealer: RemoteSealer) =>
  method({
    summary: "Returns the hash to seal, the seed of its epoch, the target and the block's number.",
    result: t.array(t.text),
    example: {
      params: [],
      result: [`0x${"ab".repeat(32)}`, `0x${"00".repeat(32)}`, `0x${"00".repeat(32)}`, "0x1"],
    },
    async handle(_, call: Call) {
      const { clock, client, production, compatibility } = call;
      // If the node mines, the next work is a moment away.
      if (sealer.isOpen && production?.isRunning === true && compatibility.mode !== "besu") {
        const limit = new AbortController();
        const cancel = clock.after(LONGEST_MS, () => limit.abort());
        await sealer.offered(AbortSignal.any([limit.signal, client.closed]));
        cancel();
      }
      const { powHash, seedHash, target, number } = findWork(sealer, call);
      return [powHash, seedHash, target, toQuantity(number)];
    },
  });
