import { type Call, followed, method, t } from "@plinth/core";
import type { Subscriptions } from "../subscriptions/subscriptions.js";
import { readTopic } from "../subscriptions/topics.js";

/** `eth_subscribe`: notifies the caller of events, starting after the response. */
export const subscribe = (subscriptions: Subscriptions) =>
  method({
    summary: "Notifies the caller of new blocks, logs or transactions.",
    params: { type: t.json, options: t.json },
    result: t.text,
    example: { params: ["newHeads"], result: "0x1" },
    caller: "duplex",
    handle(params, { client, compatibility }: Call) {
      const topic = readTopic(params, compatibility);
      const { id, begin } = subscriptions.add(topic, client);
      return followed(id, begin);
    },
  });
