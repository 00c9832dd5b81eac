import { type Call, method, RpcError, t } from "@plinth/core";
import { getPrivacy } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import type { PrivateSubscriptions } from "../private-subscriptions.js";

const HEX = /^0x[0-9a-f]{1,16}$/i;
const WRONG_ID = "id: expected the id of a subscription such as 0x1";

/** `priv_unsubscribe`: ends a subscription of the same connection. */
export const unsubscribe = (subscriptions: PrivateSubscriptions) =>
  method({
    summary: "Ends a subscription of this connection to private logs.",
    params: { privacyGroupId: t.json, id: t.json },
    result: t.boolean,
    example: { params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "0x1"], result: true },
    caller: "duplex",
    handle({ privacyGroupId, id }, { client, privacy, compatibility }: Call<typeof dependencies>) {
      getPrivacy(privacy);
      if (typeof id !== "string" || !HEX.test(id)) {
        throw RpcError.invalidRequest(compatibility.hasBareErrors ? undefined : WRONG_ID);
      }
      if (subscriptions.remove(BigInt(id), String(privacyGroupId), client)) return true;
      throw new RpcError(-32000, "Subscription not found");
    },
  });
