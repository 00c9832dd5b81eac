import { type Call, followed, method, RpcError, t } from "@plinth/core";
import type { FindStream } from "../delivery/found-stream.js";
import { PERMISSION } from "../delivery/permission.js";
import { Problem, toProblem } from "../delivery/problem.js";
import type { ChangeSubscriptions } from "../delivery/subscriptions.js";

const options = t.object({ state: t.optional(t.boolean, false), previous: t.optional(t.hash) });

/** `plinth_subscribeChanges`: sends the records of the stream of changes, from a sequence number on. */
export const subscribeChanges = (find: FindStream, subscriptions: ChangeSubscriptions) =>
  method({
    summary:
      "Sends the caller the blocks that join and leave the canonical chain, in order and without gaps, from the record with a number on; by default those to come. With `state`, also what the blocks changed; with `previous`, only if the record before has that hash.",
    params: {
      from: t.optional(t.quantity),
      options: t.optional(options, { state: false, previous: undefined }),
    },
    result: t.text,
    caller: "duplex",
    permission: PERMISSION,
    example: {
      params: ["0x2b", { state: true }],
      result: "0x4f6f0b6f3d0d1c7a2e3b4c5d6e7f8091",
    },
    handle({ from, options: { state, previous } }, { client, tasks, log }: Call) {
      const stream = find();
      const sequence = from ?? stream.descriptor.lastSequence + 1n;
      try {
        const context = { stream, tasks, log };
        const { id, begin } = subscriptions.add({ sequence, state, previous }, client, context);
        return followed(id as string, begin);
      } catch (error) {
        const problem = toProblem(error, sequence);
        throw problem instanceof Problem ? new RpcError(problem.code, problem.message) : problem;
      }
    },
  });
