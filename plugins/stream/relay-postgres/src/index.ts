import { definePlugin } from "@plinth/core";
import { dependencies } from "./dependencies.js";
import { options } from "./options.js";
import { registerRelay } from "./register.js";

export default definePlugin({
  name: "relay-postgres",
  dependencies,
  options,
  setup(node) {
    registerRelay(node, node.config);
  },
});
