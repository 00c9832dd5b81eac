import { definePlugin } from "@plinth/core";
import { reloadPluginConfig } from "./methods/reload-plugin-config.js";

export default definePlugin({
  name: "rpc-plugins",
  setup({ rpc }) {
    rpc.namespace("plugins", { reloadPluginConfig });
  },
});
