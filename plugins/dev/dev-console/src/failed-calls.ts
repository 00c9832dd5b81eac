import { simulateCall } from "@plinth/chain";
import {
  type Address,
  type BlockId,
  hexToBytes,
  type Logger,
  messageOf,
  RpcError,
  type Runtime,
} from "@plinth/core";
import { RunTooLong } from "@plinth/core/evm";
import {
  type BlockOverrides,
  type CallRequest,
  ImpossibleCall,
  type StateOverrides,
} from "@plinth/core/query";
import type { FailedCall } from "@plinth/core/rpc";
import { differencesOf, gasOfCall, getHeader, isHalt, lendingRulesOf } from "@plinth/kit-rpc";
import { shortAddress } from "./abi/decode.js";
import { CallTracer } from "./call-tracer.js";
import { formatTrace } from "./call-tree.js";
import { lineText } from "./line-text.js";
import type { Names } from "./names.js";

/** Dependencies of the output of failed calls. */
export interface FailedCallsSettings {
  readonly runtime: Pick<Runtime, "chain" | "compatibility">;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly names: Names;
  /** Whether inner calls are shown. */
  readonly showsTree: boolean;
}

/** The decoded parameters of a method that executes code. */
interface CallParams {
  readonly call?: AskedCall;
  readonly transaction?: AskedCall;
  readonly block?: BlockId | undefined;
  readonly stateOverrides?: StateOverrides | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
}

/** A call, or a transaction whose sender may name the data in two ways. */
type AskedCall = Partial<CallRequest> & {
  readonly from?: Address;
  readonly input?: Uint8Array | undefined;
};

const METHODS = new Set([
  "eth_call",
  "eth_estimateGas",
  "eth_fillTransaction",
  "eth_sendTransaction",
]);
const WRONG_PARAMS = -32602;
/** viem treats -32000 as invalid parameters. */
const FAILED_EXECUTION = 3;

/** Time limit for the re-execution of a call. */
const MAX_TRACE_MS = 500;
/** Maximum number of concurrent traces; further failed calls are shown without inner calls. */
const MAX_TRACES = 16;
/** Number of distinct failures remembered between two blocks. */
const MAX_REMEMBERED = 100;

/** Shows failed calls and estimates, and names custom errors to their callers. */
export class FailedCalls {
  readonly #settings: FailedCallsSettings;
  /** Repeated failures of a page are shown once. */
  readonly #shown = new Set<string>();
  #traces = 0;

  constructor(settings: FailedCallsSettings) {
    this.#settings = settings;
  }

  /** A block was produced: failures are reported again. */
  forget(): void {
    this.#shown.clear();
  }

  /** Returns the error with the name of a custom error; logs a line and the inner calls. */
  async explain(error: RpcError, call: FailedCall): Promise<RpcError> {
    if (!METHODS.has(call.method) || error.rpcCode === WRONG_PARAMS) return error;
    try {
      return await this.#explain(error, call);
    } catch (problem) {
      const { log } = this.#settings;
      log.warn(`cannot print a failed ${call.method}: ${messageOf(problem)}`, { error: problem });
      return error;
    }
  }

  async #explain(error: RpcError, { method, params }: FailedCall): Promise<RpcError> {
    const { names, runtime } = this.#settings;
    const asked: CallParams = method === "eth_call" ? { block: "latest", ...params } : params;
    const request = toRequest(asked.call ?? asked.transaction ?? {});
    const returned = typeof error.data === "string" ? hexToBytes(error.data) : undefined;
    await names.learnCall(request.data, returned);
    const { revert, explainsFailures } = differencesOf(runtime.compatibility);
    const named = returned && names.describeError(returned, "whole");
    const better = explainsFailures
      ? betterError(error, named && `${revert.text}: ${named}`)
      : error;
    await this.#show(method, { request, asked, message: better.message });
    return better;
  }

  async #show(
    method: string,
    { request, asked, message }: { request: CallRequest; asked: CallParams; message: string },
  ): Promise<void> {
    const { log, names, showsTree } = this.#settings;
    const from = request.from === undefined ? "" : ` from ${shortAddress(request.from)}`;
    const text = lineText(`${method}${from} ${describeTarget(request, names)} · ${message}`);
    if (this.#shown.has(text)) return;
    if (this.#shown.size >= MAX_REMEMBERED) this.#shown.clear();
    this.#shown.add(text);
    log.warn(text);
    if (this.#traces >= MAX_TRACES) {
      log.warn(`  not traced: ${MAX_TRACES} other calls that failed are being traced`);
      return;
    }
    this.#traces += 1;
    try {
      const trace = await this.#trace(request, asked);
      for (const line of formatTrace(trace, { names, showsTree })) log.info(lineText(`  ${line}`));
    } finally {
      this.#traces -= 1;
    }
  }

  /** Re-executes it: console output of contracts is visible only then. */
  async #trace(request: CallRequest, asked: CallParams): Promise<CallTracer> {
    const { runtime, log } = this.#settings;
    const { blocks } = runtime.chain;
    const { block = "pending", stateOverrides, blockOverrides } = asked;
    const tracer = new CallTracer();
    try {
      const header = block === "pending" ? await blocks.next() : getHeader(blocks, block);
      const cap = Number(header.gasLimit);
      using lent = await blocks.lendEvm();
      await simulateCall(blocks, request, {
        header,
        gasLimit: gasOfCall({ wanted: request.gas, header, cap }),
        rules: lendingRulesOf(runtime.compatibility),
        stateOverrides,
        blockOverrides,
        trace: {
          evm: lent.evm,
          createTracer: () => tracer,
          limits: { maxMs: MAX_TRACE_MS, yields: true },
        },
      });
    } catch (error) {
      // A call that could not start has no inner calls, and the line of the failure states why.
      if (error instanceof ImpossibleCall) return tracer;
      const isLate = error instanceof RunTooLong;
      const why = isLate ? `still running after ${MAX_TRACE_MS} ms` : messageOf(error);
      log.warn(`  cannot be traced to its end: ${why}`);
    }
    return tracer;
  }
}

/**
 * The error with the text, if there is one; a halt has the code by which clients recognize a failed
 * execution.
 */
function betterError(error: RpcError, text: string | undefined): RpcError {
  const { rpcCode, message, data } = error;
  if (text === undefined && !isHalt(error)) return error;
  return new RpcError(isHalt(error) ? FAILED_EXECUTION : rpcCode, text ?? message, data);
}

function toRequest({ data, input, value, ...rest }: AskedCall): CallRequest {
  return { ...rest, data: input ?? data ?? new Uint8Array(), value: value ?? 0n } as CallRequest;
}

function describeTarget({ to, data }: CallRequest, names: Names): string {
  if (to === undefined) return `create ${names.contractOf(data) ?? "a contract"}`;
  const place = names.contractAt(to) ?? to;
  if (data.length < 4) return `to ${place}`;
  const selector = `0x${Buffer.from(data.subarray(0, 4)).toString("hex")}`;
  return `to ${place}.${names.describeCall(data) ?? `${selector}(…)`}`;
}
