import { type Address, type Hash, t, toQuantity } from "@plinth/core";
import type { ScratchState } from "@plinth/core/chain";
import { decodeSent, type Remote, RemoteRefusal } from "@plinth/plugin-dev-fork/api";

/** Accounts, each with some of its slots. */
export type StateNames = ReadonlyMap<Address, ReadonlySet<Hash>>;

/** The accounts and slots that an execution has read or changed. */
export function namesIn(state: ScratchState): StateNames {
  return new Map(Array.from(state.accessed(), ({ address, slots }) => [address, slots]));
}

const storage = t.optional(t.record(t.json), {});
const accounts = t.record(t.object({ storage }));
const prestates = t.array(
  t.object({ result: t.object({ pre: t.optional(accounts, {}), post: t.optional(accounts, {}) }) }),
);
const stateDiffs = t.array(t.object({ stateDiff: t.optional(accounts, {}) }));

/**
 * The accounts and slots that the transactions of a block have changed on the network; `undefined` if the node offers no
 * traces.
 */
export async function findTracedNames(
  remote: Remote,
  { number, hash }: { readonly number: bigint; readonly hash: Hash },
  signal: AbortSignal,
): Promise<StateNames | undefined> {
  const tracer = { tracer: "prestateTracer", tracerConfig: { diffMode: true } };
  const traces = await findResult(remote, "debug_traceBlockByHash", [hash, tracer], signal);
  if (traces !== undefined) {
    const decoded = decodeSent(remote, prestates, "trace of a block", traces);
    return merge(
      remote,
      decoded.flatMap(({ result }) => [result.pre, result.post]),
    );
  }
  const params = [toQuantity(number), ["stateDiff"]];
  const replays = await findResult(remote, "trace_replayBlockTransactions", params, signal);
  if (replays === undefined) return undefined;
  const decoded = decodeSent(remote, stateDiffs, "state difference of a block", replays);
  return merge(
    remote,
    decoded.map(({ stateDiff }) => stateDiff),
  );
}

async function findResult(
  remote: Remote,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await remote.call(method, params, signal);
  } catch (error) {
    if (error instanceof RemoteRefusal) return undefined;
    throw error;
  }
}

function merge(
  remote: Remote,
  all: readonly Readonly<Record<string, { storage: object }>>[],
): StateNames {
  const names = new Map<Address, Set<Hash>>();
  for (const [name, account] of all.flatMap((each) => Object.entries(each))) {
    const address = decodeSent(remote, t.address, "address in a trace", name);
    const slots = names.get(address) ?? new Set<Hash>();
    for (const slot of Object.keys(account.storage)) {
      slots.add(decodeSent(remote, t.hash, "slot in a trace", slot));
    }
    names.set(address, slots);
  }
  return names;
}
