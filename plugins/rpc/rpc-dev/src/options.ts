import { option } from "@plinth/core";
import { listenHosts } from "@plinth/kit-http";

/** Options of a development chain for test tools. */
export const options = {
  devUnlockedAccounts: option.boolean({
    summary: "Signs for the accounts whose keys are in the genesis file; on loopback only.",
    default: false,
  }),
  devAutoImpersonate: option.flag({
    summary: "Accepts eth_sendTransaction from every sender, like anvil_autoImpersonateAccount.",
  }),
  devClientVersion: option.text({
    summary: "Result of web3_clientVersion, for tools that check for a name: anvil/v1.0.0.",
  }),
  noMining: option.flag({
    summary: "Mines blocks on request only, not when a transaction arrives.",
  }),
  devNumber: option.integer({
    summary:
      "Block at which a new chain starts: empty blocks are produced up to it, about a thousand per second.",
    default: 0,
    min: 0,
    max: 100_000,
  }),
  state: option.path({
    summary: "File with accounts: loaded if it exists and the chain is new, written on exit.",
  }),
  loadState: option.path({
    summary: "File with the initial accounts of a new chain, such as one of Anvil.",
  }),
  dumpState: option.path({ summary: "File to which every account is written on exit." }),
  ...listenHosts,
};
