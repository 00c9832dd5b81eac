import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-plinth",
  setup({ rpc }) {
    rpc.namespace("plinth", methods);
  },
});
