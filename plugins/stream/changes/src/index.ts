import { definePlugin } from "@plinth/core";
import { options } from "./options.js";
import { registerChanges } from "./register.js";
import { changeStream } from "./service.js";

export default definePlugin({
  name: "changes",
  provides: [changeStream],
  options,
  activation: { namespaces: [] },
  setup(node) {
    registerChanges(node, node.config);
  },
});
