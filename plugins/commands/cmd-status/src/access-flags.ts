import { option } from "@plinth/core";

/** Which node a command asks, and how it gets in. */
export const accessFlags = {
  url: option.text({
    summary:
      "Where its JSON-RPC is; its IPC socket or its port, found in the data folder, or port 8545, when left out.",
  }),
  token: option.text({
    summary:
      "Token for a node that asks for one; other users of the machine see it, unlike --token-file.",
  }),
  tokenFile: option.path({ summary: "File with that token." }),
  ca: option.path({
    summary:
      "PEM file with the certificate of the node, or of its authority; as the data folder says when left out.",
  }),
};
