import { definePlugin } from "@plinth/core";
import { passwordHash } from "./password-hash.js";

export default definePlugin({
  name: "cmd-password",
  setup(node) {
    node.cli.command(passwordHash);
  },
});
