import { type Call, method, RpcError, t } from "@plinth/core";
import type { Subscriptions } from "../subscriptions/subscriptions.js";

const HEX = /^0x[0-9a-f]{1,16}$/i;
const WRONG_ID = "id: expected the id of a subscription such as 0x1";

/** `eth_unsubscribe`: ends a subscription of the same connection. */
export const unsubscribe = (subscriptions: Subscriptions) =>
  method({
    summary: "Ends a subscription of this connection.",
    params: { id: t.json },
    result: t.boolean,
    example: { params: ["0x1"], result: true },
    caller: "duplex",
    handle({ id }, { client, compatibility: { hasBareErrors } }: Call) {
      if (typeof id !== "string" || !HEX.test(id)) {
        throw RpcError.invalidRequest(hasBareErrors ? undefined : WRONG_ID);
      }
      if (subscriptions.remove(BigInt(id), client)) return true;
      throw new RpcError(-32000, "Subscription not found");
    },
  });
