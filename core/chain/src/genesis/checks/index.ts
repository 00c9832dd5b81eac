import type { GenesisFacts, GenesisFinding } from "@plinth/core/consensus";
import { checkAlloc } from "./alloc.js";
import { checkBaseFee } from "./base-fee.js";
import { checkChainId } from "./chain-id.js";
import { checkForkNames } from "./fork-names.js";
import { checkForkOrder } from "./fork-order.js";
import { checkGasLimit } from "./gas-limit.js";
import { checkTimes } from "./times.js";

/** The checks for every chain, whatever its engine; `names` are those of its accounts. */
export function checkChain(
  facts: GenesisFacts,
  names: readonly string[],
): readonly GenesisFinding[] {
  return [
    ...checkForkNames(facts),
    ...checkForkOrder(facts),
    ...checkBaseFee(facts),
    ...checkChainId(facts),
    ...checkTimes(facts),
    ...checkGasLimit(facts),
    ...checkAlloc(names),
  ];
}
