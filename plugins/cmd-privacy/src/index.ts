import { definePlugin } from "@plinth/core";
import { call } from "./call.js";
import { rebuild } from "./rebuild.js";
import { receipt } from "./receipt.js";
import { send } from "./send.js";
import { verify } from "./verify.js";

export default definePlugin({
  name: "cmd-privacy",
  setup({ cli }) {
    cli.command(send);
    cli.command(call);
    cli.command(receipt);
    cli.command(verify);
    cli.command(rebuild);
  },
});
