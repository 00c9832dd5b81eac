import { join } from "node:path";
import { definePlugin, option } from "@plinth/core";
import { openKeyFile } from "./key-file.js";

export default definePlugin({
  name: "keys-file",
  options: {
    nodePrivateKeyFile: option.path({
      summary: "File of the node's private key; created if it is missing.",
    }),
  },
  setup({ keys, config }) {
    keys.driver({
      name: "localfile",
      open: ({ dataPath }) => openKeyFile(config.nodePrivateKeyFile ?? join(dataPath, "key")),
    });
  },
});
