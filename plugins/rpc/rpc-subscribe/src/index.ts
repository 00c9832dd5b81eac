import { definePlugin } from "@plinth/core";
import { subscribe } from "./methods/subscribe.js";
import { unsubscribe } from "./methods/unsubscribe.js";
import { Subscriptions } from "./subscriptions/subscriptions.js";

export default definePlugin({
  name: "rpc-subscribe",
  activation: {},
  setup({ rpc, hooks, onStart }) {
    const subscriptions = new Subscriptions();
    onStart(({ chain: { blocks }, compatibility, tasks }) => {
      subscriptions.open({ blocks, compatibility }, tasks);
    });
    hooks.chain.headChanged.tap((change) => subscriptions.headChanged(change));
    hooks.pool.added.tap(({ transaction }) => subscriptions.transactionAdded(transaction));
    hooks.pool.dropped.tap(({ transaction }) => subscriptions.transactionDropped(transaction));
    hooks.sync.progress.tap((progress) => subscriptions.syncProgressed(progress));
    const methods = {
      subscribe: subscribe(subscriptions),
      unsubscribe: unsubscribe(subscriptions),
    };
    rpc.namespace("eth", methods, "always-duplex");
  },
});
