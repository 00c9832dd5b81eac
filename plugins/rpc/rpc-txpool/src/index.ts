import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-txpool",
  setup({ rpc }) {
    rpc.namespace("txpool", methods);
  },
});
