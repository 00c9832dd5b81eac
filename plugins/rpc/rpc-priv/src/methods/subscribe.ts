import { type Call, DecodeError, followed, method, RpcError, t } from "@plinth/core";
import { getPrivacy, keyOf, verifyMember } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { findGroup, privateFilter } from "../params.js";
import type { PrivateSubscriptions } from "../private-subscriptions.js";

/** `priv_subscribe`: notifies the caller of the logs of a group, starting after the response. */
export const subscribe = (subscriptions: PrivateSubscriptions) =>
  method({
    summary: "Notifies the caller of new private logs of a group.",
    params: { privacyGroupId: t.json, type: t.json, filter: t.json },
    result: t.text,
    example: {
      params: ["DyAOiF/ynpc+JXa2YAGB0bCitSlOMNm+ShmB/7M6C4w=", "logs", {}],
      result: "0x1",
    },
    caller: "duplex",
    async handle({ privacyGroupId, type, filter }, call: Call<typeof dependencies>) {
      const node = getPrivacy(call.privacy);
      const group = typeof privacyGroupId === "string" ? findGroup(privacyGroupId) : undefined;
      const refuse = (detail: string) =>
        RpcError.invalidRequest(call.compatibility.hasBareErrors ? undefined : detail);
      if (group === undefined) throw refuse("privacyGroupId: expected 32 bytes in base64");
      if (type !== "logs") throw refuse("type: expected logs");
      await verifyMember(node, group, call.client);
      const name = String(privacyGroupId);
      const query = readFilter(filter, refuse);
      const { id, begin } = subscriptions.add(name, query, call.client, keyOf(node, call.client));
      return followed(id, begin);
    },
  });

function readFilter(json: unknown, refuse: (detail: string) => RpcError) {
  try {
    return privateFilter.decode(json ?? {});
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { path, expected } = error;
    throw refuse(`filter${path === "" ? "" : `.${path}`}: expected ${expected}`);
  }
}
