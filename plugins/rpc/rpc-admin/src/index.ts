import { definePlugin } from "@plinth/core";
import * as methods from "./methods/index.js";

export default definePlugin({
  name: "rpc-admin",
  setup({ rpc }) {
    rpc.namespace("admin", methods);
  },
});
