import { definePlugin } from "@plinth/core";
import { clique } from "@plinth/plugin-consensus-clique/api";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-clique",
  dependencies: { clique },
  setup({ rpc }) {
    rpc.namespace("clique", methods);
  },
});
