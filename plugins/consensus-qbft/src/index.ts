import { definePlugin, extraDataCodecs } from "@plinth/core";
import { qbftExtraData } from "./extra-data.js";

export default definePlugin({
  name: "consensus-qbft",
  setup(node) {
    node.contribute(extraDataCodecs, qbftExtraData);
  },
});
