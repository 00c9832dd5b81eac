import {
  type BlockId,
  type BlockReader,
  type Codec,
  DecodeError,
  RpcError,
  type SealedHeader,
  t,
} from "@plinth/core";
import type { ScratchState } from "@plinth/core/chain";
import type { BlockOverrides, CallRequest, StateOverrides } from "@plinth/core/query";
import { getHeader } from "./blocks.js";
import { callRequest } from "./call-request.js";
import { blockOverrideFields } from "./overrides.js";

/** Calls that run in one block. */
export interface Bundle {
  readonly transactions: readonly CallRequest[];
  readonly blockOverride: BlockOverrides;
}

/** The start of bundles: after a transaction of a block, by default after the whole block. */
export interface BundleContext {
  readonly block: BlockId;
  readonly transactionIndex: number | undefined;
}

/** A call of a bundle, with the block it runs in. */
export interface BundledCall {
  readonly request: CallRequest;
  readonly blockOverrides: BlockOverrides;
}

const MAX_CALLS = 1000;
/** After the whole block. */
const WHOLE_BLOCK = -1;

const overrideFields = t.object({
  ...blockOverrideFields,
  // Erigon's names besides those of `eth_call`.
  blockNumber: t.optional(t.gas),
  timestamp: t.optional(t.gas),
  coinbase: t.optional(t.address),
  baseFee: t.optional(t.wei),
});

const blockOverride: Codec<BlockOverrides> = {
  decode(json, path, reading) {
    const { blockNumber, timestamp, coinbase, baseFee, ...rest } = overrideFields.decode(
      json,
      path,
      reading,
    );
    return {
      ...rest,
      number: rest.number ?? blockNumber,
      time: rest.time ?? timestamp,
      feeRecipient: rest.feeRecipient ?? coinbase,
      baseFeePerGas: rest.baseFeePerGas ?? baseFee,
    };
  },
  encode: (value) => value,
  schema: overrideFields.schema,
};

const bundle: Codec<Bundle> = t.object({
  transactions: t.array(callRequest),
  blockOverride: t.optional(blockOverride, {}),
});

const list = t.array(bundle);

/** The bundles of a request: at least one call, and not too many. */
export const bundles: Codec<readonly Bundle[]> = {
  ...list,
  decode(json, path = "", reading) {
    const given = list.decode(json, path, reading);
    const calls = given.reduce((sum, { transactions }) => sum + transactions.length, 0);
    if (calls >= 1 && calls <= MAX_CALLS) return given;
    throw new DecodeError(path, `1 to ${MAX_CALLS} transactions, not ${calls}`);
  },
};

const index: Codec<number> = {
  decode(json, path = "", reading) {
    if (json === WHOLE_BLOCK) return WHOLE_BLOCK;
    return Number(t.uint64.decode(json, path, reading));
  },
  encode: (value) => value,
  schema: { type: ["integer", "string"] },
};

const contextFields = t.object({ blockNumber: t.blockId, transactionIndex: t.optional(index) });

/** `{blockNumber, transactionIndex}`. */
export const bundleContext: Codec<BundleContext> = {
  decode(json, path, reading) {
    const { blockNumber, transactionIndex } = contextFields.decode(json, path, reading);
    const isWhole = transactionIndex === undefined || transactionIndex === WHOLE_BLOCK;
    return { block: blockNumber, transactionIndex: isWhole ? undefined : transactionIndex };
  },
  encode: ({ block, transactionIndex }) =>
    contextFields.encode({ blockNumber: block, transactionIndex }),
  schema: contextFields.schema,
};

/** The calls of bundles in order: each bundle is a block and a second after the previous one. */
export function* callsOf(
  given: readonly Bundle[],
  { number, timestamp }: Pick<SealedHeader, "number" | "timestamp">,
  usual: BlockOverrides = {},
): Generator<BundledCall & { readonly bundle: number; readonly isFirst: boolean }> {
  let overrides = usual;
  for (const [place, { transactions, blockOverride }] of given.entries()) {
    const said = Object.entries(blockOverride).filter(([, value]) => value !== undefined);
    overrides = { ...overrides, ...Object.fromEntries(said) };
    for (const [index, request] of transactions.entries()) {
      yield { request, blockOverrides: overrides, bundle: place, isFirst: index === 0 };
    }
    overrides = {
      ...overrides,
      number: (overrides.number ?? number) + 1n,
      time: (overrides.time ?? timestamp) + 1n,
    };
  }
}

/** A state to run calls on one after another; dispose of it when done. */
export interface BundleState extends Disposable {
  readonly header: SealedHeader;
  readonly state: ScratchState;
}

/** Opens the state that bundles start with. */
export async function openBundleState(
  blocks: BlockReader,
  { block, transactionIndex }: BundleContext,
): Promise<BundleState> {
  const header = getHeader(blocks, block);
  if (transactionIndex === undefined) {
    const state = blocks.simulation.states.open(header);
    return { header, state, [Symbol.dispose]: () => undefined };
  }
  if (header.number === 0n) {
    throw RpcError.invalidParams("transactionIndex: block 0 has no state before it; omit it");
  }
  const found = blocks.findBlock(header.hash);
  const count = found?.body.transactions.length ?? 0;
  if (transactionIndex > count) {
    throw RpcError.invalidParams(
      `transactionIndex: ${transactionIndex}; block ${header.number} has ${count} transactions`,
    );
  }
  const replay = found && (await blocks.replay(found));
  if (replay === undefined) {
    throw new RpcError(
      -32000,
      `block ${header.number} cannot be replayed: the state before it is not available`,
    );
  }
  try {
    await replay.runTo(transactionIndex);
  } catch (error) {
    replay[Symbol.dispose]();
    throw error;
  }
  return { header, state: replay.state, [Symbol.dispose]: () => replay[Symbol.dispose]() };
}

/** Throws if a precompile is moved: that would apply only to the first call. */
export function verifyNoMoves(overrides: StateOverrides | undefined): void {
  for (const [address, { movePrecompileToAddress }] of overrides ?? []) {
    if (movePrecompileToAddress === undefined) continue;
    throw RpcError.invalidParams(
      `stateOverride.${address}.movePrecompileToAddress: eth_call and eth_simulateV1 move precompiles`,
    );
  }
}
