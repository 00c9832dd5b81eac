import { definePlugin, toHex } from "@plinth/core";
import { exportCommand } from "./export.js";

export default definePlugin({
  name: "cmd-public-key",
  setup(node) {
    node.cli.command(
      exportCommand({
        id: "public-key export",
        summary: "Prints the public key of the node.",
        examples: ["plinth --data-path=data public-key export --to=key.pub"],
        read: ({ publicKey }) => toHex(publicKey),
      }),
    );
    node.cli.command(
      exportCommand({
        id: "public-key export-address",
        summary: "Prints the address of the node.",
        examples: ["plinth public-key export-address --node-private-key-file=key.priv"],
        read: ({ address }) => address,
      }),
    );
  },
});
