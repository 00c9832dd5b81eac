import { definePlugin } from "@plinth/core";
import { addNode } from "./add-node.js";
import { status } from "./status.js";
import { stop } from "./stop.js";
import { up } from "./up.js";

export default definePlugin({
  name: "cmd-up",
  setup({ cli }) {
    for (const command of [up, status, stop, addNode]) cli.command(command);
  },
});
