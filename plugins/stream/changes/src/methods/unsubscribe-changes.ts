import { type Call, method, RpcError, t } from "@plinth/core";
import { PERMISSION } from "../delivery/permission.js";
import type { ChangeSubscriptions } from "../delivery/subscriptions.js";

/** `plinth_unsubscribeChanges`: ends a subscription to changes of the same connection. */
export const unsubscribeChanges = (subscriptions: ChangeSubscriptions) =>
  method({
    summary: "Ends a subscription to changes of this connection.",
    params: { id: t.text },
    result: t.boolean,
    caller: "duplex",
    permission: PERMISSION,
    example: { params: ["0x4f6f0b6f3d0d1c7a2e3b4c5d6e7f8091"], result: true },
    handle({ id }, { client }: Call) {
      if (subscriptions.remove(id, client)) return true;
      throw new RpcError(-32000, "Subscription not found");
    },
  });
