import { type Call, method, RpcError, t } from "@plinth/core";

/** `privx_findFlexiblePrivacyGroup`: known to clients of Besu, which offers it where groups manage their members by contract. */
export const findFlexiblePrivacyGroup = method({
  summary:
    "Finds groups that manage their members by contract: not enabled, such groups are not built.",
  // None are declared: Besu does not look at them before it says that the method is not enabled.
  result: t.array(t.json),
  alias: "privx_findOnchainPrivacyGroup",
  alsoIn: "priv",
  example: { params: [], result: [] },
  handle(_, { compatibility }: Pick<Call, "compatibility">) {
    throw RpcError.methodNotEnabled(
      compatibility.mode === "besu"
        ? undefined
        : "groups that manage their members by contract are not built",
    );
  },
});
