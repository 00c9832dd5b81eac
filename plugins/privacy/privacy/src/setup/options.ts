import { option } from "@plinth/core";

/** What an operator says about private transactions. */
export const options = {
  privacyEnabled: option.flag({ summary: "Enables private transactions." }),
  privacyPublicKeyFile: option.path({
    summary: "File with the key of this node at its private transaction manager, in base64.",
    needs: "privacyEnabled",
  }),
  privacyMarkerTransactionSigningKeyFile: option.path({
    summary:
      "File with the private key that signs privacy marker transactions; a new key signs each when left out.",
    needs: "privacyEnabled",
  }),
  privacyMultiTenancyEnabled: option.flag({
    summary: "Lets several tenants use the node; their tokens name their keys.",
    needs: "privacyEnabled",
  }),
  privacyFlexibleGroupsEnabled: option.flag({
    summary:
      "Lets groups manage their members by contract, in place of groups of the managers; one value for all members.",
    aliases: ["privacyOnchainGroupsEnabled"],
    needs: "privacyEnabled",
  }),
  privacyNonceAlwaysIncrements: option.flag({
    summary: "Increments private nonces after failures, too; one value for all members.",
    needs: "privacyEnabled",
  }),
  privacyGasCap: option.wei({
    summary:
      "Gas of a private transaction, one value for all members; 2^63 - 1 when left out, as with Besu.",
    needs: "privacyEnabled",
    validate: (value) =>
      value > 0n && value < 2n ** 63n ? undefined : "expected a number from 1 to 2^63 - 1",
  }),
  privacyVerifyInterval: option.integer({
    summary:
      "Seconds between two comparisons of the private states with those of the other members of each group; 0 for none.",
    default: 3600,
    min: 0,
    max: 31_536_000,
    needs: "privacyEnabled",
  }),
  privacyEnableDatabaseMigration: option.flag({
    summary: "Accepted for command lines of Besu: this database has one form.",
    noEffect: (isAsked) => (isAsked ? "the database has one form" : undefined),
    needs: "privacyEnabled",
  }),
} as const;
