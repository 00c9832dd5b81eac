import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { getHeaderByNumber } from "./methods/get-header-by-number.js";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-ots",
  dependencies,
  setup({ rpc }) {
    rpc.namespace("ots", methods);
    rpc.namespace("erigon", { getHeaderByNumber });
  },
});
