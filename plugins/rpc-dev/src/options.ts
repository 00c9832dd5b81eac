import { option } from "@plinth/core";
import { listenHosts } from "@plinth/kit-http";

/** Options of a development chain that test tools work with. */
export const options = {
  devUnlockedAccounts: option.boolean({
    summary: "Signs for the accounts whose keys stand in the genesis file; on loopback only.",
    default: false,
  }),
  devClientVersion: option.text({
    summary: "What web3_clientVersion answers, for tools that look for a name: anvil/v1.0.0.",
  }),
  noMining: option.flag({
    summary: "Makes blocks on request only, not when a transaction arrives.",
  }),
  forkUrl: option.text({
    summary: "Refused: this chain cannot fork the state of another one.",
  }),
  ...listenHosts,
};
