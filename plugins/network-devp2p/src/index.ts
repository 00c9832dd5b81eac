import { definePlugin } from "@plinth/core";

export default definePlugin({
  name: "network-devp2p",
  setup() {},
});
