import { option } from "@plinth/core";

/** Which node a command asks. */
export const urlFlag = option.text({
  summary:
    "Where its JSON-RPC is; its IPC socket or its port, found in the data folder, or port 8545, when left out.",
});
