import type { FindStream } from "../delivery/found-stream.js";
import type { ChangeSubscriptions } from "../delivery/subscriptions.js";
import { describeChanges } from "./describe-changes.js";
import { subscribeChanges } from "./subscribe-changes.js";
import { unsubscribeChanges } from "./unsubscribe-changes.js";

/** The methods of the stream. */
export const createMethods = (find: FindStream, subscriptions: ChangeSubscriptions) => ({
  describeChanges: describeChanges(find),
  subscribeChanges: subscribeChanges(find, subscriptions),
  unsubscribeChanges: unsubscribeChanges(subscriptions),
});
