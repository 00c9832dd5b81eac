import {
  describeInvalidOpcode,
  type EvmResult,
  type Fork,
  type MessageWatch,
} from "@plinth/core/evm";
import type { MachineResult } from "./interpreter/machine.js";
import type { Substate } from "./substate.js";

/** Inputs of the report of a run. */
export interface ResultContext {
  readonly gasUsed: bigint;
  readonly substate: Substate;
  readonly fork: Fork;
  readonly watch?: MessageWatch | undefined;
}

/** The result of a run. */
export function toResult(result: MachineResult, context: ResultContext): EvmResult {
  const { outcome, halt, output, createdAddress, invalid } = result;
  const { gasUsed, substate, fork, watch = {} } = context;
  const haltDetail = invalid && describeInvalidOpcode(invalid, fork);
  const { events } = substate;
  return {
    outcome,
    ...(halt === undefined ? {} : { halt }),
    ...(haltDetail === undefined ? {} : { haltDetail }),
    gasUsed,
    returnValue: output,
    logs: events.filter(({ isTransfer }) => !isTransfer).map(({ log }) => log),
    ...(watch.recordsTransfers === true
      ? {
          logsWithTransfers: events.map(({ log, index }) => ({ ...log, index })),
          logsTraced: substate.eventCount,
        }
      : {}),
    ...(watch.recordsAccess === true ? { accessList: accessListOf(substate) } : {}),
    ...(createdAddress === undefined ? {} : { createdAddress }),
  };
}

/** Omits contracts that the run created: they did not exist before it. */
function accessListOf({ recorded, created }: Substate) {
  return recorded.filter(({ address }) => !created.has(address));
}
