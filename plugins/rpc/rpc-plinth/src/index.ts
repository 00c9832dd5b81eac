import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-plinth",
  dependencies,
  setup({ rpc }) {
    rpc.namespace("plinth", methods);
  },
});
