import type { Hash, SealedHeader, Transaction } from "@plinth/core";
import type { Withdrawal } from "@plinth/core/blocks";
import type { BlockOverrides, CallRequest, StateOverrides } from "@plinth/core/query";
import { SimulationProblem } from "./problem.js";

/** The header fields of a simulated block that are known before it is executed. */
export interface SimulatedOverrides extends BlockOverrides {
  readonly parentBeaconBlockRoot?: Hash | undefined;
  readonly withdrawals?: readonly Withdrawal[] | undefined;
}

/** A call of a simulated block. */
export interface SimulatedCall extends CallRequest {
  readonly type?: Transaction["type"] | undefined;
  readonly nonce?: bigint | undefined;
}

/** A block to simulate. */
export interface SimulatedBlock {
  readonly blockOverrides: SimulatedOverrides;
  readonly stateOverrides: StateOverrides;
  readonly calls: readonly SimulatedCall[];
}

/** Same, with its number and time. */
export interface PlannedBlock extends SimulatedBlock {
  readonly number: bigint;
  readonly time: bigint;
}

/** Maximum number of simulated blocks, including gaps. */
const MAX_BLOCKS = 256n;
/** Default number of seconds between a block and its parent. */
const SLOT_SECONDS = 12n;

/** Assigns every block its number and time, and fills gaps with empty blocks. */
export function planBlocks(
  base: SealedHeader,
  blocks: readonly SimulatedBlock[],
): readonly PlannedBlock[] {
  if (blocks.length === 0) throw new SimulationProblem("empty", "there are no blocks to simulate");
  if (blocks.length > MAX_BLOCKS) throw tooMany();
  const planned: PlannedBlock[] = [];
  let { number: lastNumber, timestamp: lastTime } = base;
  for (const block of blocks) {
    const number = block.blockOverrides.number ?? lastNumber + 1n;
    if (number <= lastNumber) {
      const text = `block numbers must be in order: ${number} <= ${lastNumber}`;
      throw new SimulationProblem("block-number", text);
    }
    if (number - base.number > MAX_BLOCKS) throw tooMany();
    for (let missing = lastNumber + 1n; missing < number; missing++) {
      lastTime += SLOT_SECONDS;
      planned.push({ ...EMPTY, number: missing, time: lastTime });
    }
    const time = block.blockOverrides.time ?? lastTime + SLOT_SECONDS;
    if (time <= lastTime) {
      const text = `block timestamps must be in order: ${time} <= ${lastTime}`;
      throw new SimulationProblem("block-time", text);
    }
    planned.push({ ...block, number, time });
    lastNumber = number;
    lastTime = time;
  }
  return planned;
}

const EMPTY: SimulatedBlock = { blockOverrides: {}, stateOverrides: new Map(), calls: [] };

function tooMany(): SimulationProblem {
  return new SimulationProblem("too-many-blocks", "too many blocks");
}
