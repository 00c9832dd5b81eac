import { option } from "@plinth/core";
import { listenHosts } from "@plinth/kit-http";

/** Options of a development chain that test tools work with. */
export const options = {
  devUnlockedAccounts: option.boolean({
    summary: "Signs for the accounts whose keys stand in the genesis file; on loopback only.",
    default: false,
  }),
  devAutoImpersonate: option.flag({
    summary: "Accepts eth_sendTransaction of every sender, as anvil_autoImpersonateAccount does.",
  }),
  devClientVersion: option.text({
    summary: "What web3_clientVersion answers, for tools that look for a name: anvil/v1.0.0.",
  }),
  noMining: option.flag({
    summary: "Makes blocks on request only, not when a transaction arrives.",
  }),
  devNumber: option.integer({
    summary:
      "Block that a new chain begins at: empty blocks are made up to it, about a thousand per second.",
    default: 0,
    min: 0,
    max: 100_000,
  }),
  state: option.path({
    summary:
      "File with accounts: loaded where it is there and the chain is new, written at the end.",
  }),
  loadState: option.path({
    summary: "File with accounts that a new chain begins with, such as one of Anvil.",
  }),
  dumpState: option.path({ summary: "File that every account is written to at the end." }),
  forkUrl: option.text({
    summary: "Refused: this chain cannot fork the state of another one.",
  }),
  ...listenHosts,
};
