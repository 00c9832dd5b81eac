import { definePlugin, optional } from "@plinth/core";
import { querySettings } from "@plinth/plugin-rpc-eth/api";
import { registerGraphqlListener } from "./listener.js";
import { options } from "./options.js";

export default definePlugin({
  name: "graphql",
  options,
  dependencies: { settings: optional(querySettings) },
  setup(node) {
    if (node.config.graphqlHttpEnabled) registerGraphqlListener(node, node.config);
  },
});
