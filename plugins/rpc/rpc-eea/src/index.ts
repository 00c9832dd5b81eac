import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { sendRawTransaction } from "./methods/send-raw-transaction.js";

export default definePlugin({
  name: "rpc-eea",
  dependencies,
  setup(node) {
    node.rpc.namespace("eea", { sendRawTransaction });
  },
});
