import { definePlugin } from "@plinth/core";
import { call } from "./call.js";
import { add } from "./groups/add.js";
import { create } from "./groups/create.js";
import { list } from "./groups/list.js";
import { lock, unlock } from "./groups/lock.js";
import { remove } from "./groups/remove.js";
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
    cli.command(list);
    cli.command(create);
    cli.command(add);
    cli.command(remove);
    cli.command(lock);
    cli.command(unlock);
  },
});
