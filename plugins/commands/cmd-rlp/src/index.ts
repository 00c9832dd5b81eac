import { definePlugin } from "@plinth/core";
import { decode } from "./decode.js";
import { encode } from "./encode.js";

export default definePlugin({
  name: "cmd-rlp",
  setup(node) {
    node.cli.command(encode);
    node.cli.command(decode);
  },
});
