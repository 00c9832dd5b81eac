import { option } from "@plinth/core";

/** Which node a command queries, and how it authenticates. */
export const accessFlags = {
  url: option.text({
    summary:
      "URL of its JSON-RPC; by default its IPC socket or its port, found in the data folder, or port 8545.",
  }),
  token: option.text({
    summary:
      "Token for a node that requires one; visible to other users of the machine, unlike --token-file.",
  }),
  tokenFile: option.path({ summary: "File with that token." }),
  ca: option.path({
    summary:
      "PEM file with the certificate of the node, or of its authority; by default as recorded in the data folder.",
  }),
};
