import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-miner",
  setup({ rpc }) {
    rpc.namespace("miner", methods);
  },
});
