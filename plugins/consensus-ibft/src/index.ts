import { definePlugin, extraDataCodecs } from "@plinth/core";
import { ibftExtraData } from "./extra-data.js";

export default definePlugin({
  name: "consensus-ibft",
  setup(node) {
    node.contribute(extraDataCodecs, ibftExtraData);
  },
});
