import { definePlugin } from "@plinth/core";
import { call } from "./call.js";
import { receipt } from "./receipt.js";
import { send } from "./send.js";

export default definePlugin({
  name: "cmd-privacy",
  setup({ cli }) {
    cli.command(send);
    cli.command(call);
    cli.command(receipt);
  },
});
