import { option } from "@plinth/core";

/** Options for private transactions. */
export const options = {
  privacyEnabled: option.flag({ summary: "Enables private transactions." }),
  privacyPublicKeyFile: option.path({
    summary: "File with the key of this node at its private transaction manager, in base64.",
    needs: "privacyEnabled",
  }),
  privacyMarkerTransactionSigningKeyFile: option.path({
    summary:
      "File with the private key that signs privacy marker transactions; by default each is signed with a new key.",
    needs: "privacyEnabled",
  }),
  privacyMultiTenancyEnabled: option.flag({
    summary: "Lets several tenants use the node; their tokens name their keys.",
    needs: "privacyEnabled",
  }),
  privacyFlexibleGroupsEnabled: option.flag({
    summary:
      "Lets groups manage their members by contract instead of through the managers; must be the same at all members.",
    aliases: ["privacyOnchainGroupsEnabled"],
    needs: "privacyEnabled",
  }),
  privacyNonceAlwaysIncrements: option.flag({
    summary: "Increments private nonces after failures, too; must be the same at all members.",
    needs: "privacyEnabled",
  }),
  privacyGasCap: option.wei({
    summary:
      "Gas limit of a private transaction, the same at all members; 2^63 - 1 by default, as in Besu.",
    needs: "privacyEnabled",
    validate: (value) =>
      value > 0n && value < 2n ** 63n ? undefined : "expected a number from 1 to 2^63 - 1",
  }),
  privacyVerifyInterval: option.integer({
    summary:
      "Seconds between two comparisons of private states with the other members of each group; 0 disables them.",
    default: 3600,
    min: 0,
    max: 31_536_000,
    needs: "privacyEnabled",
  }),
  privacyEnableDatabaseMigration: option.flag({
    summary: "Accepted for compatibility with Besu; this database has only one format.",
    noEffect: (isAsked) => (isAsked ? "the database has only one format" : undefined),
    needs: "privacyEnabled",
  }),
} as const;
