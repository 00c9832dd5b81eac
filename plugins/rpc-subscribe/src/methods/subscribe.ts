import { type Call, followed, method, t } from "@plinth/core";
import type { Subscriptions } from "../subscriptions/subscriptions.js";
import { readTopic } from "../subscriptions/topics.js";

/** `eth_subscribe`: tells the caller what happens, from the answer on. */
export const subscribe = (subscriptions: Subscriptions) =>
  method({
    summary: "Tells the caller about new blocks, logs or transactions as they come.",
    params: { type: t.json, options: t.json },
    result: t.text,
    example: { params: ["newHeads"], result: "0x1" },
    caller: "duplex",
    handle({ type, options }, { client }: Call) {
      const topic = readTopic(type, options);
      const { id, begin } = subscriptions.add(topic, client);
      return followed(id, begin);
    },
  });
